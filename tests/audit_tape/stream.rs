//! A log is delivered in its own order, whatever the order it is judged in, and however long.

use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_conform::audit::stream::{self, Options};
use mcp_conform::audit::{Doc, Fault, Parser, Reason};
use proptest::prelude::*;

/// The length of each line's text, or its fault, with its number.
fn lengths(log: &[u8], options: &Options) -> Vec<(u64, Result<usize, Reason>)> {
    let mut found = Vec::new();
    stream::run(
        log,
        options,
        |line| u32::from(line[line.len() / 2]),
        |text| {
            text.map(|doc| doc.text().len())
                .map_err(|fault: Fault| fault.reason)
        },
        |line, answer| {
            assert!(answer.is_err() || answer == Ok(line.text.len()));
            found.push((line.number, answer));
            Ok(())
        },
    )
    .expect("a slice can be read");
    found
}

fn options(threads: usize, window: usize, longest: usize) -> Options {
    Options {
        threads,
        window,
        longest,
    }
}

#[test]
fn lines_are_numbered_as_an_editor_does() {
    let log = b"1\n\n  \r\n[2]\r\n\xff\n{\"a\":\n\"last\"";
    let expected = [
        (1, Ok(1)),
        (4, Ok(4)),
        (5, Err(Reason::Encoding)),
        (6, Err(Reason::End)),
        (7, Ok(6)),
    ];
    for threads in 1..4 {
        for window in [1, 2, 7, 1 << 20] {
            assert_eq!(
                lengths(log, &options(threads, window, 1 << 20)),
                expected,
                "{threads} {window}"
            );
        }
    }
    assert_eq!(lengths(b"", &Options::default()), []);
    assert_eq!(lengths(b"\n\n", &Options::default()), []);
    assert_eq!(lengths(b"\n1\n", &Options::default()), [(2, Ok(1))]);
}

#[test]
fn a_line_that_is_too_long_is_passed_over_without_being_held() {
    struct Endless(usize);
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(self.0);
            buffer[..length].fill(b'7');
            self.0 -= length;
            Ok(length)
        }
    }
    let log = b"1\n".chain(Endless(300 << 20)).chain(&b"\n22\n"[..]);
    let mut found = Vec::new();
    stream::run(
        log,
        &options(1, 1 << 16, 1 << 20),
        |_| 0,
        |text| text.map(|_| ()).map_err(|fault| fault.reason),
        |line, answer| {
            found.push((line.number, line.text.len(), answer));
            Ok(())
        },
    )
    .expect("read");
    assert_eq!(
        found,
        [
            (1, 1, Ok(())),
            (2, (1 << 20) + 1, Err(Reason::Size)),
            (3, 2, Ok(()))
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn windows_and_threads_do_not_show(
        lines in prop::collection::vec("([0-9]{1,3}|\"[a-z]{0,30}\"| |)(\r)?", 0..60),
        threads in 1_usize..4, window in 1_usize..200, longest in 20_usize..40, end: bool,
    ) {
        let mut log = lines.join("\n");
        if end { log.push('\n'); }
        let expected: Vec<_> = (1..)
            .zip(log.split('\n'))
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| {
                let fault = Parser::default().parse(line.as_bytes()).err().map(|fault| fault.reason);
                let fault = if line.len() > longest { Some(Reason::Size) } else { fault };
                (number, fault.map_or(Ok(line.len()), Err))
            })
            .collect();
        prop_assert_eq!(lengths(log.as_bytes(), &options(threads, window, longest)), expected);
    }
}

#[test]
fn lines_of_a_group_are_judged_together() {
    let log = ["0\n", "1\n", "2\n"].concat().repeat(34);
    let order = Mutex::new(Vec::new());
    let note = |text: Result<Doc<'_>, Fault>| {
        order
            .lock()
            .expect("whole")
            .push(text.map(|doc| doc.text().to_owned()));
    };
    stream::run(
        log.as_bytes(),
        &Options::default(),
        |line| line[0].into(),
        note,
        |_, ()| Ok(()),
    )
    .expect("read");
    let order: Vec<_> = order
        .into_inner()
        .expect("whole")
        .into_iter()
        .flatten()
        .collect();
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(order.len(), 102);
}

#[test]
fn the_first_error_ends_it() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let log = "1\n".repeat(10_000);
    for threads in [1, 3] {
        let delivered = AtomicUsize::new(0);
        let run = |log: &mut dyn Read, stop_at: usize| {
            stream::run(
                log,
                &options(threads, 64, 64),
                |_| 0,
                |_| (),
                |_, ()| {
                    let so_far = delivered.fetch_add(1, Ordering::Relaxed) + 1;
                    if so_far == stop_at {
                        Err(io::Error::other("nobody reads this"))
                    } else {
                        Ok(())
                    }
                },
            )
        };
        let error = run(&mut log.as_bytes().chain(Broken), 0).expect_err("the disk is gone");
        assert_eq!(error.to_string(), "the disk is gone");
        delivered.store(0, Ordering::Relaxed);
        let error = run(&mut log.as_bytes(), 100).expect_err("delivery fails");
        assert_eq!(error.to_string(), "nobody reads this");
        assert_eq!(delivered.load(Ordering::Relaxed), 100);
    }
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_panic_of_a_worker_is_passed_on() {
    let log = "1\n".repeat(1000);
    let judge = |_: Result<Doc<'_>, Fault>| panic!("a judge has lost its temper");
    stream::run(
        log.as_bytes(),
        &options(2, 64, 64),
        |_| 0,
        judge,
        |_, ()| Ok(()),
    )
    .expect("never");
}

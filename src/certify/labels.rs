//! What certificates are called beside one another.

use super::certificate::Certificate;
use crate::source::cut;

/// The most characters of each part of a label.
const MOST_NAMED: usize = 60;

/// What tells the certificates apart: the name, and as long as that is another's too, the version,
/// the configuration, the date, and in the end a number.
pub(super) fn labels(certificates: &[Certificate]) -> Vec<String> {
    let say: [fn(&Certificate) -> String; 4] = [
        |one| one.implementation.name.clone(),
        |one| one.implementation.version.clone(),
        |one| {
            let config = one.implementation.config.as_deref();
            config.map_or_else(String::new, |config| format!("({config})"))
        },
        |one| one.date.clone(),
    ];
    let mut labels = vec![String::new(); certificates.len()];
    for say in say {
        let shared = shared(&labels);
        for (place, certificate) in certificates.iter().enumerate() {
            let said = say(certificate);
            if shared[place] && !said.is_empty() {
                let before = if labels[place].is_empty() { "" } else { " " };
                labels[place] += before;
                labels[place] += &cut(&said, MOST_NAMED);
            }
        }
    }
    let shared = shared(&labels);
    for (place, shared) in shared.into_iter().enumerate() {
        if shared {
            let before = if labels[place].is_empty() { "" } else { " " };
            labels[place] += &format!("{before}#{}", place + 1);
        }
    }
    labels
}

/// Which labels are another's too; one that stands alone is shared as long as it says nothing.
fn shared(labels: &[String]) -> Vec<bool> {
    let is_shared = |label: &String| {
        label.is_empty() || labels.iter().filter(|other| *other == label).count() > 1
    };
    labels.iter().map(is_shared).collect()
}

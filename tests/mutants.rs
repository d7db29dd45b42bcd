//! The strength of the suite: implementations with one small fault each, and which cases catch them.

#[path = "mutants/change.rs"]
mod change;
#[path = "mutants/mutant.rs"]
mod mutant;
#[path = "mutants/rules.rs"]
mod rules;
mod support;
#[path = "mutants/table/mod.rs"]
mod table;
#[path = "mutants/trial.rs"]
mod trial;
#[path = "mutants/walk.rs"]
mod walk;

use mcp_conform::corpus::Corpus;
use trial::Ground;

#[test]
fn probe() {
    let corpus = Corpus::embedded().unwrap();
    let start = std::time::Instant::now();
    let ground = Ground::new(&corpus);
    eprintln!("ground {} in {:?}", ground.len(), start.elapsed());
    for group in table::groups() {
        let start = std::time::Instant::now();
        let found = ground.put(&group.mutants, usize::MAX);
        for (mutant, caught) in group.mutants.iter().zip(&found) {
            let sign = caught.iter().filter(|c| mutant.sign.is_borne_by(c.asked.case, c.asked.expected, &c.outcome, c.verdict)).count();
            let spared = caught.iter().filter(|c| c.asked.case.id.starts_with(&format!("{}#", mutant.spares))).count();
            let mut ids: Vec<_> = caught.iter().map(|c| c.asked.case.id.as_str()).collect();
            ids.dedup();
            eprintln!("{}{}{} {}: {} / sign {} / spared {} {:?}", if caught.is_empty() {"NONE "} else {""}, if sign == 0 {"NOSIGN "} else {""}, if spared > 0 {"UNSPARED "} else {""}, mutant.name, ids.len(), sign, spared, &ids[..ids.len().min(3)]);
        }
        eprintln!("-- {} {:?}", group.title, start.elapsed());
    }
}

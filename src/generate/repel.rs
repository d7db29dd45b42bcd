//! Keeps a value out of the branches of `oneOf` that were not chosen: open branches fit nearly
//! everything, and exactly one may.

use serde_json::{Value, json};

use super::instance::{Body, Grower, Grown};
use super::shape::Part;

impl Grower<'_, '_> {
    /// Gives an object members that the other branches refuse and its own allows. What comes of it
    /// is for the caller to check.
    pub(super) fn repel(&mut self, grown: &mut Grown) {
        let unions: Vec<_> = grown
            .shape
            .unions
            .iter()
            .filter(|union| union.keyword == "oneOf")
            .cloned()
            .collect();
        for union in unions {
            for (index, branch) in union.branches.iter().enumerate() {
                if index != union.chosen && self.plan.fits(*branch, &grown.value()) {
                    self.repel_from(*branch, grown);
                }
            }
        }
    }

    fn repel_from(&mut self, branch: usize, grown: &mut Grown) -> Option<()> {
        let Body::Object(members) = &mut grown.body else {
            return None;
        };
        let plan = self.plan;
        let declared: Vec<_> = plan.members(plan.followed(branch), "properties").collect();
        let others = [
            json!(7),
            json!("seven"),
            json!(true),
            json!(null),
            json!([]),
        ];
        for index in self.rng.order(declared.len()) {
            let (name, schema) = declared[index];
            let theirs = plan.id(schema)?;
            let ours = plan.member(&grown.shape.parts, name).parts;
            let allowed = |value: &Value| ours.iter().all(|part| plan.fits(part.node, value));
            let start = self.rng.below(others.len());
            let mut others = (0..others.len()).map(|step| &others[(start + step) % others.len()]);
            let other = others.find(|value| !plan.fits(theirs, value) && allowed(value));
            let Some(other) = other.cloned() else {
                continue;
            };
            let parts: Vec<Part> = ours;
            let shape = plan.shape(&parts, true, self.rng).ok()?;
            members.retain(|(known, _)| known != name);
            members.push((
                name.to_owned(),
                Grown {
                    shape,
                    body: Body::Leaf(other),
                },
            ));
            return Some(());
        }
        None
    }
}

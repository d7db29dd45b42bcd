//! Pages to be opened, mailed or kept as an artifact: each asks for nothing from anywhere, and
//! carries the JSON that its script shows.

use serde_json::Value;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("page.js"), include_str!("list.js"));

/// What is a page's own, beside the style and the script that all pages share.
pub(super) struct Page<'p> {
    /// The HTML, with the places `{{title}}`, `{{style}}`, `{{data}}` and `{{script}}` in that order.
    pub(super) template: &'p str,
    /// The title.
    pub(super) title: &'p str,
    /// More of the style.
    pub(super) style: &'p str,
    /// More of the script.
    pub(super) script: &'p str,
    /// The data that the script shows.
    pub(super) data: &'p Value,
}

impl Page<'_> {
    pub(super) fn html(&self) -> String {
        let json = embedded(self.data);
        let title = escaped(self.title);
        let length = json.len() + self.template.len() + STYLE.len() + SCRIPT.len();
        let mut page = String::with_capacity(length + self.style.len() + self.script.len());
        // In the order of the template and never over what was filled in: the data may hold
        // anything, placeholders included.
        let mut rest = self.template;
        for (placeholder, contents) in [
            ("{{title}}", [title.as_str(), ""]),
            ("{{style}}", [STYLE, self.style]),
            ("{{data}}", [json.as_str(), ""]),
            ("{{script}}", [SCRIPT, self.script]),
        ] {
            if let Some((before, after)) = rest.split_once(placeholder) {
                page.push_str(before);
                for content in contents {
                    page.push_str(content);
                }
                rest = after;
            }
        }
        page.push_str(rest);
        page
    }
}

/// The JSON as the content of a `script` element. `</script` would end the element and `<!--`
/// change how the rest of it is read; in JSON a `<` stands in strings alone, where it has an escape.
fn embedded(data: &Value) -> String {
    data.to_string().replace('<', "\\u003c")
}

/// Text between tags.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

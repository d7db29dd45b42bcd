//! A certificate as one page to be opened, mailed or kept as an artifact: it asks for nothing from
//! anywhere, and carries the certificate's JSON, which its script shows.

use serde_json::Value;

const TEMPLATE: &str = include_str!("certificate.html");
const STYLE: &str = include_str!("certificate.css");
const SCRIPT: &str = include_str!("certificate.js");

/// The page that shows `certificate`, the JSON of `certify --format json`.
pub fn html(certificate: &Value) -> String {
    let json = embedded(certificate);
    let title = escaped(&title(certificate));
    let mut page = String::with_capacity(json.len() + TEMPLATE.len() + STYLE.len() + SCRIPT.len());
    // In the order of the template and never over what was filled in: a certificate may hold
    // anything, placeholders included.
    let mut rest = TEMPLATE;
    for (placeholder, content) in [
        ("{{title}}", title.as_str()),
        ("{{style}}", STYLE),
        ("{{certificate}}", json.as_str()),
        ("{{script}}", SCRIPT),
    ] {
        if let Some((before, after)) = rest.split_once(placeholder) {
            page.push_str(before);
            page.push_str(content);
            rest = after;
        }
    }
    page.push_str(rest);
    page
}

/// The JSON as the content of a `script` element. `</script` would end the element and `<!--`
/// change how the rest of it is read; in JSON a `<` stands in strings alone, where it has an escape.
fn embedded(certificate: &Value) -> String {
    certificate.to_string().replace('<', "\\u003c")
}

fn title(certificate: &Value) -> String {
    let of = |name: &str| {
        certificate["implementation"][name]
            .as_str()
            .unwrap_or_default()
    };
    let named = format!("{} {}", of("name"), of("version"));
    match named.trim() {
        "" => "MCP conformance certificate".to_owned(),
        named => format!("{named}: MCP conformance certificate"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The JSON that a browser would hand to the script.
    fn carried(page: &str) -> Value {
        let (_, after) = page.split_once("id=\"certificate\">").expect("the element");
        let (json, _) = after.split_once("</script>").expect("its end");
        serde_json::from_str(json).expect("JSON")
    }

    #[test]
    fn nothing_that_a_certificate_holds_gets_out_of_its_element() {
        let hostile = "</script><script>alert(1)</script><!-- {{script}} {{title}} & \u{2028}";
        let certificate = json!({
            "implementation": {"name": hostile, "version": "1.0"},
            "cases": [{"id": hostile}],
        });
        let page = html(&certificate);
        assert_eq!(carried(&page), certificate);
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(page.contains("<title>&lt;/script>"));
    }

    #[test]
    fn the_template_is_filled() {
        let page = html(&json!({}));
        assert!(!page.contains("{{"));
        assert!(page.contains("<title>MCP conformance certificate</title>"));
        assert!(page.contains("default-src 'none'"));
    }
}

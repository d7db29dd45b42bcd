//! A certificate as one page, which shows the JSON of `certify --format json`.

use serde_json::Value;

use super::page::Page;

/// The page that shows `certificate`, the JSON of `certify --format json`.
pub fn html(certificate: &Value) -> String {
    let page = Page {
        template: include_str!("certificate.html"),
        title: &title(certificate),
        style: "",
        script: include_str!("certificate.js"),
        data: certificate,
    };
    page.html()
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The JSON that a browser would hand to the script.
    fn carried(page: &str) -> Value {
        let (_, after) = page.split_once("id=\"data\">").expect("the element");
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

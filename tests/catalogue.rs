//! Holds the catalogue, the code, the fixtures and the generated files together.

#[path = "support/catalogue.rs"]
mod catalogue;
mod support;

use support::root;

/// `UPDATE_TABLE=1 cargo test --test catalogue` writes the table; without it the test compares.
#[test]
fn the_table_is_generated_from_the_catalogue() {
    let path = root().join("src/rules/table.rs");
    let table = catalogue::table(&catalogue::read());
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(
        written == table,
        "src/rules/table.rs is not what rules/*.yaml say; run UPDATE_TABLE=1 cargo test --test catalogue"
    );
}

//! Checks of one import.

use super::Context;
use super::bodies::orientation;
use crate::error::Finding;
use crate::model::Import;
use crate::source::Path;

pub(crate) fn import(import: &Import, at: &Path, _: &Context, found: &mut Vec<Finding>) {
    let subject = format!("import `{}`", import.file);
    orientation(&import.orientation, &subject, &at.key("orientation"), found);
}

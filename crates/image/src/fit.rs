//! Whether a machine has what code was made for.

use crate::Target;

impl Target {
    /// The first feature of the processor that code for this target may use and `machine` is known not to have.
    ///
    /// Only features that a target names are compared: one that names none leaves them to its processor's name.
    ///
    /// # Examples
    /// ```
    /// use oarlock_image::Target;
    /// let target = |features: &str| Target {
    ///     triple: "x86_64-pc-linux-gnu".into(), cpu: "x86-64".into(), features: features.into()
    /// };
    /// let machine = target("+sse2,+avx2,-avx512f");
    /// assert_eq!(target("+avx2,+avx512f").missing_feature(&machine), Some("avx512f"));
    /// assert_eq!(target("+avx2,-sse2").missing_feature(&machine), None);
    /// ```
    pub fn missing_feature(&self, machine: &Self) -> Option<&str> {
        if machine.features.is_empty() {
            return None;
        }
        let wanted = self.features.split(',').filter_map(|feature| feature.strip_prefix('+'));
        let has = |wanted: &str| machine.features.split(',').any(|f| f.strip_prefix('+') == Some(wanted));
        wanted.into_iter().find(|wanted| !has(wanted))
    }
}

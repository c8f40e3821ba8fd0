//! Times and sizes as people write them.

use std::time::Duration;

/// A time: seconds, or a number with `ms`, `s`, `min` or `h`.
pub fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number * seconds).ok()
}

/// A size: bytes, or a number with `KiB`, `MiB`, `GiB`, `TiB`, or with `kB`, `MB`, `GB`, `TB`.
pub fn size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let bytes: f64 = match unit {
        "" | "B" => 1.0,
        "KiB" | "K" => 1024.0,
        "MiB" | "M" => 1024.0 * 1024.0,
        "GiB" | "G" => 1024.0 * 1024.0 * 1024.0,
        "TiB" | "T" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        _ => return None,
    };
    let bytes = number * bytes;
    (bytes.is_finite() && (0.0..1e18).contains(&bytes)).then_some(bytes as u64)
}

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(duration("90"), Some(Duration::from_secs(90)));
        assert_eq!(duration("1.5min"), Some(Duration::from_secs(90)));
        assert_eq!(duration("250 ms"), Some(Duration::from_millis(250)));
        assert_eq!(duration("5 weeks"), None);
        assert_eq!(duration("-1s"), None);
        assert_eq!(size("4GiB"), Some(4 << 30));
        assert_eq!(size("1 MB"), Some(1_000_000));
        assert_eq!(size("much"), None);
    }
}

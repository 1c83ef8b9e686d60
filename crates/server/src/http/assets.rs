//! The page, built into the binary: compressed once at build time, hashed names cached for ever.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Read as _;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use super::ApiError;

/// What `npm run build` wrote: texts twice, packed as `.br` and as `.gz`, everything else as it is. Texts as they are
/// would make the binary larger by three megabytes, for browsers that nobody has. The browser's engine is there once: it
/// is as large packed the other way.
#[derive(RustEmbed)]
#[folder = "../../web/build"]
#[exclude = "*.html"]
#[exclude = "*.js"]
#[exclude = "*.css"]
#[exclude = "*.json"]
#[exclude = "*.svg"]
#[exclude = "*.xml"]
#[exclude = "*.wasm"]
#[exclude = "*.wasm.br"]
#[allow_missing = true]
struct Built;

/// The page that serves every address which is no file.
const FALLBACK: &str = "200.html";

/// The engine that runs in the browser is WebAssembly, in a worker with a policy of its own: the pages compile none.
static ENGINE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
);

/// Whether this is the script of that worker.
fn is_engine(path: &str) -> bool {
    let name = path.strip_prefix("/_app/immutable/assets/stockfish-");
    name.and_then(|name| name.rsplit_once('.')).is_some_and(|(_, kind)| kind == "js")
}

/// The page's files. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Assets(Arc<Inner>);

struct Inner {
    files: HashMap<String, File>,
    policy: HeaderValue,
    embed_policy: HeaderValue,
}

struct File {
    kind: HeaderValue,
    etag: HeaderValue,
    /// None where it is packed.
    plain: Option<&'static [u8]>,
    brotli: Option<&'static [u8]>,
    gzip: Option<&'static [u8]>,
}

impl Assets {
    pub(crate) fn load() -> Assets {
        let names: HashSet<String> = Built::iter().map(|name| unpacked(&name).to_owned()).collect();
        let files: HashMap<String, File> = names
            .into_iter()
            .filter_map(|name| File::load(&name).map(|file| (name, file)))
            .collect();
        let pages = files.iter().filter(|(name, _)| is_page(name));
        let scripts: HashSet<String> = pages
            .flat_map(|(_, page)| inline_scripts(&String::from_utf8_lossy(&page.unpacked())))
            .collect();
        let (policy, embed_policy) = (policy(&scripts, "'none'"), policy(&scripts, "*"));
        Assets(Arc::new(Inner { files, policy, embed_policy }))
    }

    /// What an answer at this address lets a browser do.
    pub(crate) fn policy_at(&self, path: &str) -> &HeaderValue {
        if is_engine(path) { &ENGINE_POLICY } else { &self.0.policy }
    }

    /// The same for pages that other sites may show inside theirs.
    pub(crate) fn embed_policy(&self) -> &HeaderValue {
        &self.0.embed_policy
    }

    fn find(&self, path: &str) -> Option<(&str, &File)> {
        let path = path.trim_start_matches('/');
        let named = |name: String| {
            self.0.files.get_key_value(&name).map(|(name, file)| (name.as_str(), file))
        };
        if path.is_empty() {
            return named("index.html".to_owned()).or_else(|| named(FALLBACK.to_owned()));
        }
        named(path.to_owned()).or_else(|| named(format!("{path}.html")))
    }
}

fn is_page(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension == "html")
}

/// The name of what is packed in a file of this name.
fn unpacked(name: &str) -> &str {
    name.strip_suffix(".br").or_else(|| name.strip_suffix(".gz")).unwrap_or(name)
}

impl File {
    fn load(name: &str) -> Option<File> {
        let data = |name: &str| {
            Built::get(name).map(|file| match file.data {
                Cow::Borrowed(bytes) => bytes,
                // Debug builds read from the disk: kept once for as long as the process lives.
                Cow::Owned(bytes) => Box::leak(bytes.into_boxed_slice()),
            })
        };
        let (plain, gzip) = (data(name), data(&format!("{name}.gz")));
        let mut hash = BASE64_STANDARD.encode(Sha256::digest(plain.or(gzip)?));
        hash.truncate(22);
        let kind = mime_guess::from_path(name).first_or_octet_stream();
        let charset = if kind.type_() == "text" { "; charset=utf-8" } else { "" };
        Some(File {
            kind: HeaderValue::from_str(&format!("{kind}{charset}")).ok()?,
            etag: HeaderValue::from_str(&format!("\"{hash}\"")).ok()?,
            plain,
            brotli: data(&format!("{name}.br")),
            gzip,
        })
    }

    /// The bytes themselves.
    fn unpacked(&self) -> Cow<'static, [u8]> {
        if let Some(plain) = self.plain {
            return Cow::Borrowed(plain);
        }
        let mut bytes = Vec::new();
        let read = GzDecoder::new(self.gzip.unwrap_or_default()).read_to_end(&mut bytes);
        read.expect("what the build has packed can be unpacked");
        Cow::Owned(bytes)
    }
}

/// The content security policy: our own files only, and of inline scripts exactly those of the built pages.
fn policy(scripts: &HashSet<String>, frames: &str) -> HeaderValue {
    let mut hashes: Vec<String> = scripts
        .iter()
        .map(|script| format!(" 'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(script))))
        .collect();
    hashes.sort();
    let scripts = hashes.concat();
    let text = format!(
        "default-src 'self'; script-src 'self'{scripts}; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
    );
    HeaderValue::from_str(&text).expect("a policy of words and base64 is a valid header")
}

fn inline_scripts(page: &str) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find("<script") {
        let Some(open) = rest[start..].find('>') else { break };
        let tag = &rest[start..start + open];
        let body = &rest[start + open + 1..];
        let Some(end) = body.find("</script>") else { break };
        if !tag.contains(" src=") {
            scripts.push(body[..end].to_owned());
        }
        rest = &body[end..];
    }
    scripts
}

/// Serves the page's files, and the page itself for every address that is none.
pub(crate) async fn serve_page(State(assets): State<Assets>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return ApiError::new(
            StatusCode::NOT_FOUND,
            "unknown_route",
            "there is nothing at this address",
        )
        .into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let detail = "pages can only be read";
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
            .into_response();
    }
    let looks_like_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let found =
        assets.find(path).or_else(|| if looks_like_file { None } else { assets.find(FALLBACK) });
    match found {
        Some((name, file)) => answer(name, file, request.headers()),
        None if looks_like_file => {
            ApiError::new(StatusCode::NOT_FOUND, "unknown_file", "there is no such file")
                .into_response()
        }
        None => no_page().into_response(),
    }
}

fn no_page() -> (StatusCode, &'static str) {
    let text = "This binary was built without its page. Build it with `make build`; the API works all the same.\n";
    (StatusCode::NOT_FOUND, text)
}

fn answer(name: &str, file: &File, request: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, file.kind.clone());
    headers.insert(header::ETAG, file.etag.clone());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let cache = if name.starts_with("_app/immutable/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if request.get(header::IF_NONE_MATCH) == Some(&file.etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let accepts = |coding: &str| {
        let value = request
            .get(header::ACCEPT_ENCODING)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("");
        value
            .split(',')
            .any(|part| part.split(';').next().is_some_and(|name| name.trim() == coding))
    };
    let body = match (file.brotli, file.gzip) {
        (Some(brotli), _) if accepts("br") => {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
            Body::from(brotli)
        }
        (_, Some(gzip)) if accepts("gzip") => {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Body::from(gzip)
        }
        _ => match file.unpacked() {
            Cow::Borrowed(bytes) => Body::from(bytes),
            Cow::Owned(bytes) => Body::from(bytes),
        },
    };
    (headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_scripts_are_found_and_linked_ones_are_not() {
        let page = "<head><script src=\"a.js\"></script></head><body><script>let a = 1;</script><script type=\"module\">b()</script>";
        assert_eq!(inline_scripts(page), ["let a = 1;", "b()"]);
        assert!(inline_scripts("<script>unfinished").is_empty());
    }

    #[test]
    fn the_policy_allows_exactly_the_pages_own_scripts() {
        let text = policy(&HashSet::from(["x".to_owned()]), "'none'");
        let text = text.to_str().unwrap();
        // The hash of "x".
        assert!(text.contains("'sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE='"), "{text}");
        assert!(!text.contains("script-src 'self' 'unsafe-inline'"));
        assert!(!text.contains("wasm"), "the pages compile nothing");
    }

    #[test]
    fn only_the_engines_own_script_may_compile() {
        assert!(is_engine("/_app/immutable/assets/stockfish-19-lite-single.Ab1_-x.js"));
        for path in ["/analysis", "/_app/immutable/nodes/1.js", "/api/v1/stockfish-1.js"] {
            assert!(!is_engine(path), "{path}");
        }
    }
}

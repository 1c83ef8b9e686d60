//! A push service in the test's own process, and a browser that can read what it carries.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use aes_gcm::aead::{Aead as _, KeyInit as _};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use hkdf::Hkdf;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What somebody handed over.
pub(crate) struct Handed {
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Handed {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// What the signature is for and until when, if it was made with this key.
    pub(crate) fn claims(&self, key: &str) -> Value {
        let header = self.header("authorization").strip_prefix("vapid t=").unwrap();
        let (token, public) = header.split_once(", k=").unwrap();
        assert_eq!(public, key);
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let key = VerifyingKey::from_sec1_bytes(&BASE64.decode(key).unwrap()).unwrap();
        let signature = Signature::from_slice(&BASE64.decode(signature).unwrap()).unwrap();
        key.verify(signed.as_bytes(), &signature).expect("our signature");
        let claims = BASE64.decode(signed.split_once('.').unwrap().1).unwrap();
        serde_json::from_slice(&claims).unwrap()
    }
}

/// A push service on loopback. It takes everything, unless it was told what to answer.
pub(crate) struct PushService {
    address: SocketAddr,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
    handed: mpsc::UnboundedReceiver<Handed>,
}

impl PushService {
    pub(crate) async fn start() -> PushService {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answers = Arc::new(Mutex::new(VecDeque::new()));
        let (tell, handed) = mpsc::unbounded_channel();
        let answering = answers.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let answer = answering.lock().pop_front().unwrap_or("201 Created\r\n");
                if let Some(got) = serve(stream, answer).await {
                    let _ = tell.send(got);
                }
            }
        });
        PushService { address, answers, handed }
    }

    /// What it says next, and then: a status line's end and headers.
    pub(crate) fn will_answer(&self, answers: &[&'static str]) {
        self.answers.lock().extend(answers);
    }

    /// What was handed over next.
    pub(crate) async fn next(&mut self) -> Handed {
        let next = tokio::time::timeout(Duration::from_secs(20), self.handed.recv()).await;
        next.expect("something in time").expect("the service runs")
    }

    /// Whether nothing else was handed over.
    pub(crate) fn is_idle(&mut self) -> bool {
        self.handed.try_recv().is_err()
    }
}

async fn serve(mut stream: TcpStream, answer: &str) -> Option<Handed> {
    let mut bytes = Vec::new();
    let head_ends = loop {
        let mut piece = [0; 4_096];
        let length = stream.read(&mut piece).await.ok().filter(|length| *length > 0)?;
        bytes.extend_from_slice(&piece[..length]);
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = String::from_utf8(bytes[..head_ends].to_vec()).unwrap();
    let mut lines = head.lines();
    let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").unwrap().1.parse();
    let mut body = bytes[head_ends..].to_vec();
    let missing = length.unwrap_or(0_usize) - body.len();
    let mut rest = vec![0; missing];
    stream.read_exact(&mut rest).await.ok()?;
    body.extend(rest);
    let answer = format!("HTTP/1.1 {answer}Content-Length: 0\r\nConnection: close\r\n\r\n");
    stream.write_all(answer.as_bytes()).await.ok()?;
    Some(Handed { path, headers, body })
}

/// A browser's end: its keys.
pub(crate) struct Recipient {
    key: SecretKey,
    auth: [u8; 16],
}

impl Recipient {
    pub(crate) fn new(n: u8) -> Recipient {
        Recipient { key: SecretKey::from_slice(&[n; 32]).unwrap(), auth: [n; 16] }
    }

    fn public(&self) -> Vec<u8> {
        self.key.public_key().to_sec1_point(false).as_bytes().to_vec()
    }

    /// What the browser tells the club about itself.
    pub(crate) fn subscription(&self, service: &PushService, path: &str) -> Value {
        json!({
            "endpoint": format!("http://{}{path}", service.address),
            "keys": {"p256dh": BASE64.encode(self.public()), "auth": BASE64.encode(self.auth)},
            "expirationTime": null,
        })
    }

    /// What stands in it, as RFC 8291 says.
    pub(crate) fn open(&self, handed: &Handed) -> Value {
        assert_eq!(handed.header("content-encoding"), "aes128gcm");
        let (salt, rest) = handed.body.split_at(16);
        let (head, rest) = rest.split_at(5);
        assert_eq!(head, [0, 0, 0x10, 0, 65]);
        let (sender, sealed) = rest.split_at(65);
        let theirs = PublicKey::from_sec1_bytes(sender).unwrap();
        let shared = p256::ecdh::diffie_hellman(self.key.to_nonzero_scalar(), theirs.as_affine());
        let info = [b"WebPush: info\0".as_slice(), &self.public(), sender].concat();
        let mut secret = [0; 32];
        Hkdf::<Sha256>::new(Some(&self.auth), shared.raw_secret_bytes())
            .expand(&info, &mut secret)
            .unwrap();
        let content = Hkdf::<Sha256>::new(Some(salt), &secret);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        content.expand(b"Content-Encoding: aes128gcm\0", &mut key).unwrap();
        content.expand(b"Content-Encoding: nonce\0", &mut nonce).unwrap();
        let mut text =
            Aes128Gcm::new(&key.into()).decrypt(&Nonce::from(nonce), sealed).expect("for us");
        assert_eq!(text.pop(), Some(2), "the last record");
        serde_json::from_slice(&text).unwrap()
    }
}

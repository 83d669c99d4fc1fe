//! The server: a few files over HTTP, frames over a WebSocket, one thread.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::ViewError;
use crate::figures::{self, MAX_ROWS};
use crate::guard::{Guard, Token};
use crate::page;
use crate::protocol::{MAX_MESSAGE, RateLimit, Request, parse};
use crate::source::{Extent, FrameSource};

/// Pages at the same time.
const MAX_PAGES: usize = 8;
/// A page that does not take a message within this time is gone. Drawing 10 000 bodies in software takes many seconds;
/// only the page itself waits.
const SEND_TIMEOUT: Duration = Duration::from_secs(60);
/// A page must say its token within this time.
const HELLO_TIMEOUT: Duration = Duration::from_secs(5);
/// News are gathered for this long: no display shows more.
const NEWS_INTERVAL: Duration = Duration::from_millis(15);
/// The state of the run is sent at most this often.
const STATUS_INTERVAL: Duration = Duration::from_millis(100);
/// Messages a second of one page, and at once.
const MESSAGE_RATE: (f64, f64) = (400.0, 200.0);
/// "Policy violation": a message that is not of the protocol, a wrong token, too many messages.
const REFUSED: u16 = 1008;
/// "Try again later": too many pages.
const BUSY: u16 = 1013;

/// Where to listen.
#[derive(Clone, Copy, Debug)]
pub struct ServerOptions {
    /// 127.0.0.1 and any free port unless changed.
    pub address: SocketAddr,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self { address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0) }
    }
}

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    token: Token,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    source: Arc<dyn FrameSource>,
    guard: Guard,
    token: Token,
    csp: HeaderValue,
    pages: AtomicUsize,
    next_page: AtomicU64,
    /// The page that controls the run.
    writer: Mutex<Option<u64>>,
    began: Instant,
}

impl Server {
    /// Starts to serve a source.
    ///
    /// # Errors
    /// If the address cannot be listened on or the system refuses a thread.
    pub fn start(source: Arc<dyn FrameSource>, options: &ServerOptions) -> Result<Self, ViewError> {
        let failed = |reason| ViewError::Listen { address: options.address, reason };
        let listener = std::net::TcpListener::bind(options.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let token = Token::random()?;
        let csp = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src 'self' ws://{address} ws://localhost:{}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            address.port()
        );
        let shared = Arc::new(Shared {
            source,
            guard: Guard::new(address),
            token: token.clone(),
            csp: HeaderValue::from_str(&csp).map_err(|error| ViewError::Start(error.to_string()))?,
            pages: AtomicUsize::new(0),
            next_page: AtomicU64::new(0),
            writer: Mutex::new(None),
            began: Instant::now(),
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| ViewError::Start(error.to_string()))?;
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                let serve = axum::serve(listener, router(shared)).into_future();
                // Open sockets end with the runtime.
                tokio::select! { _ = serve => {}, _ = stopped => {} }
            });
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new()
            .name("msd-view".to_owned())
            .spawn(serve)
            .map_err(|error| ViewError::Start(error.to_string()))?;
        Ok(Self { address, token, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser. The part after `#` is a secret that browsers do not send to anybody.
    #[must_use]
    pub fn url(&self) -> String {
        let shown = if self.address.ip().is_unspecified() {
            SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.address.port())
        } else {
            self.address
        };
        format!("http://{shown}/#{}", self.token.as_str())
    }

    /// Ends it and waits for its thread.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(|| async { file("") }))
        .route("/socket", get(socket))
        .route("/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), check_host))
        .with_state(shared)
}

/// Refuses requests for other hosts, and adds the headers that every answer has.
async fn check_host(State(shared): State<Arc<Shared>>, request: HttpRequest, next: Next) -> Response {
    let mut response = if shared.guard.host_is_own(text(request.headers(), header::HOST)) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "this server answers under its own address only").into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, shared.csp.clone());
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn file(name: &str) -> Response {
    match page::file(name) {
        Some((bytes, kind)) => {
            ([(header::CONTENT_TYPE, kind)], Body::from(bytes.into_owned())).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}

async fn socket(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !shared.guard.origin_is_own(text(&headers, header::ORIGIN)) {
        return (StatusCode::FORBIDDEN, "pages of other sites may not connect").into_response();
    }
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(move |socket| async move {
        if shared.pages.fetch_add(1, Ordering::Relaxed) < MAX_PAGES {
            let id = shared.next_page.fetch_add(1, Ordering::Relaxed);
            let mut page = Page { shared: &shared, socket, id, sent: Extent::default(), status: None };
            if let Err(Closed { code, reason }) = page.talk().await {
                page.close(code, reason).await;
            }
            page.leave();
        } else {
            let mut page =
                Page { shared: &shared, socket, id: u64::MAX, sent: Extent::default(), status: None };
            page.close(BUSY, format!("{MAX_PAGES} pages are connected already")).await;
        }
        shared.pages.fetch_sub(1, Ordering::Relaxed);
    })
}

/// Why a connection ends.
struct Closed {
    code: u16,
    reason: String,
}

impl Closed {
    fn refused(reason: impl Into<String>) -> Self {
        Self { code: REFUSED, reason: reason.into() }
    }

    fn gone() -> Self {
        Self { code: 1001, reason: String::new() }
    }
}

/// One connected page.
struct Page<'a> {
    shared: &'a Shared,
    socket: WebSocket,
    id: u64,
    /// Figures sent so far.
    sent: Extent,
    status: Option<(Instant, String)>,
}

impl Page<'_> {
    async fn talk(&mut self) -> Result<(), Closed> {
        self.expect_hello().await?;
        let source = Arc::clone(&self.shared.source);
        let mut changes = source.changes();
        self.send(Message::Text(format!(r#"{{"type":"header","header":{}}}"#, source.header()).into()))
            .await?;
        self.send_news(true).await?;
        let mut limit = RateLimit::new(MESSAGE_RATE.0, MESSAGE_RATE.1);
        let mut tick = tokio::time::interval(STATUS_INTERVAL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut last_news = Instant::now();
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    let Some(Ok(message)) = message else { return Err(Closed::gone()) };
                    if !limit.admits(self.shared.began.elapsed().as_secs_f64()) {
                        return Err(Closed::refused("too many messages"));
                    }
                    match message {
                        Message::Text(text) => self.answer(&text).await?,
                        Message::Binary(_) => return Err(Closed::refused("binary messages are not understood")),
                        Message::Close(_) => return Err(Closed::gone()),
                        Message::Ping(_) | Message::Pong(_) => {}
                    }
                }
                changed = changes.changed() => {
                    if changed.is_err() {
                        return Err(Closed::gone());
                    }
                    tokio::time::sleep(NEWS_INTERVAL.saturating_sub(last_news.elapsed())).await;
                    last_news = Instant::now();
                    self.send_news(false).await?;
                }
                _ = tick.tick() => self.send_news(true).await?,
            }
        }
    }

    async fn expect_hello(&mut self) -> Result<(), Closed> {
        let message = timeout(HELLO_TIMEOUT, self.socket.recv()).await;
        let Ok(Some(Ok(Message::Text(text)))) = message else {
            return Err(Closed::refused("the first message must be the token"));
        };
        match parse(&text) {
            Ok(Request::Hello(token)) if self.shared.token.matches(&token) => Ok(()),
            _ => Err(Closed::refused("the token is wrong: open the address that was printed")),
        }
    }

    async fn answer(&mut self, text: &str) -> Result<(), Closed> {
        match parse(text).map_err(Closed::refused)? {
            Request::Hello(_) => Err(Closed::refused("the token was said already")),
            Request::Want { epoch, frames } => {
                // A page that requests frames is drawing: a run that waits for it may begin.
                self.shared.source.first_page();
                self.send_frames(epoch, &frames).await
            }
            Request::Control(command) => {
                let outcome = if self.may_write() {
                    self.shared.source.control(command)
                } else {
                    Err("another page controls this run".to_owned())
                };
                match outcome {
                    Ok(()) => self.send_news(true).await,
                    Err(message) => self.send_json(&json!({ "type": "refused", "message": message })).await,
                }
            }
        }
    }

    /// Sends the frames that are there. Numbers of an earlier epoch are answered by none: the page has been told.
    async fn send_frames(&mut self, epoch: u32, frames: &[u32]) -> Result<(), Closed> {
        for index in frames {
            if self.shared.source.extent().epoch != epoch {
                return Ok(());
            }
            match self.shared.source.frame(*index) {
                Ok(Some(frame)) => {
                    let [poses, details] = frame.numbered(epoch, *index);
                    self.send(Message::Binary(details.into())).await?;
                    self.send(Message::Binary(poses.into())).await?;
                }
                Ok(None) => {}
                Err(message) => self.send_json(&json!({ "type": "refused", "message": message })).await?,
            }
        }
        Ok(())
    }

    /// Figures of new frames, and the state of the run if it changed and was not sent a moment ago.
    async fn send_news(&mut self, with_status: bool) -> Result<(), Closed> {
        let extent = self.shared.source.extent();
        if extent.epoch != self.sent.epoch {
            self.sent = Extent { epoch: extent.epoch, frames: 0 };
        }
        while self.sent.frames < extent.frames {
            let (from, to) = (self.sent.frames, extent.frames.min(self.sent.frames + MAX_ROWS));
            let rows = self.shared.source.figures(from, to).map_err(Closed::refused)?;
            if rows.is_empty() || self.shared.source.extent().epoch != extent.epoch {
                break;
            }
            self.sent.frames = from + rows.len() as u32;
            self.send(Message::Binary(figures::encode(extent.epoch, from, &rows).into())).await?;
        }
        let recent = self.status.as_ref().is_some_and(|(at, _)| at.elapsed() < STATUS_INTERVAL / 2);
        if !with_status && recent {
            return Ok(());
        }
        let mut status = self.shared.source.status();
        status["type"] = json!("status");
        status["writer"] = json!(self.may_write());
        let text = status.to_string();
        if self.status.as_ref().is_some_and(|(_, sent)| *sent == text) {
            return Ok(());
        }
        self.status = Some((Instant::now(), text.clone()));
        self.send(Message::Text(text.into())).await
    }

    /// The first page that asks controls the run until it leaves.
    fn may_write(&self) -> bool {
        *self.writer().get_or_insert(self.id) == self.id
    }

    fn leave(&self) {
        let mut writer = self.writer();
        if *writer == Some(self.id) {
            *writer = None;
            // Release its drag; a recording has none.
            let _ = self.shared.source.control(crate::Control::Release);
        }
    }

    fn writer(&self) -> std::sync::MutexGuard<'_, Option<u64>> {
        self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send_json(&mut self, value: &serde_json::Value) -> Result<(), Closed> {
        self.send(Message::Text(value.to_string().into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), Closed> {
        match timeout(SEND_TIMEOUT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Closed::gone()),
        }
    }

    async fn close(&mut self, code: u16, reason: String) {
        let frame = CloseFrame { code, reason: reason.into() };
        let _ = timeout(Duration::from_secs(1), self.socket.send(Message::Close(Some(frame)))).await;
    }
}

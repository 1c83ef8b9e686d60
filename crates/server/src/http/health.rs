//! How the server is: for supervisors and for Prometheus.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::text::encode;
use store::Health;

use super::{ApiError, AppState};

/// Whether the process lives.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether it can do its work: the database answers, its writer writes, and its disk has room for more.
pub(crate) async fn readyz(State(app): State<AppState>) -> Result<&'static str, ApiError> {
    let not_ready =
        |detail: String| ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", detail);
    match &*app.store.health().borrow() {
        Health::Ready => {}
        Health::Away(why) => return Err(not_ready(format!("storage cannot be written: {why}"))),
        Health::Stopped(why) => {
            let detail =
                format!("nothing is written until a restart; look at the disk first: {why}");
            return Err(not_ready(detail));
        }
    }
    app.store
        .ping()
        .await
        .map_err(|error| not_ready(format!("the database does not answer: {error}")))?;
    if let Some(trouble) = app.disk.trouble() {
        return Err(not_ready(trouble));
    }
    app.games.refuse_if_draining().map_err(|_| not_ready("draining".to_owned()))?;
    Ok("ready\n")
}

/// Numbers for Prometheus.
pub(crate) async fn metrics(State(app): State<AppState>) -> Response {
    if !app.web.metrics {
        let detail = "metrics are off; `metrics = true` under [web] turns them on";
        return ApiError::new(StatusCode::NOT_FOUND, "metrics_off", detail).into_response();
    }
    app.metrics.running_games.set(i64::try_from(app.games.running_count()).unwrap_or(i64::MAX));
    let mut text = String::new();
    match encode(&mut text, &app.metrics.registry) {
        Ok(()) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(error) => ApiError::fault(&error).into_response(),
    }
}

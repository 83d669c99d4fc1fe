//! The asset registry: assets by name and by id in one SQLite file.
//!
//! Any number of processes may read while one writes. An asset is read and decoded once and then shared; when
//! another process has committed a change, the cache is dropped and assets are read again on the next lookup;
//! existing [`Arc`]s stay valid.

mod open;
mod schema;
mod store;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, TransactionBehavior};
use serde::Serialize;

use crate::sqlite::BUSY_TIMEOUT;
pub use schema::SCHEMA_VERSION;
pub use store::AssetSummary;

use self::open::IfMissing;
use crate::{Asset, AssetError};

/// An asset's number in its database; never given twice, even after a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct AssetId(pub i64);

/// Assets in one SQLite file, or in memory.
#[derive(Debug)]
pub struct AssetRegistry {
    path: PathBuf,
    writable: bool,
    busy_timeout: Duration,
    file_version: u32,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    connection: Connection,
    /// Changes when another connection commits.
    data_version: i64,
    loaded: HashMap<AssetId, Arc<Asset>>,
}

impl AssetRegistry {
    /// Opens an existing database for reading and writing; one of an older version is brought up to date.
    ///
    /// # Errors
    /// The file is missing, not an asset database, of a newer version, damaged, locked or read-only.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, AssetError> {
        let path = path.as_ref();
        Self::new(path, true, open::open_writable(path, IfMissing::Fail)?)
    }

    /// Opens a database for reading and writing, or makes it if there is no file or an empty one.
    ///
    /// # Errors
    /// As [`AssetRegistry::open`], but for a missing file.
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Self, AssetError> {
        let path = path.as_ref();
        Self::new(path, true, open::open_writable(path, IfMissing::Create)?)
    }

    /// Makes a new database.
    ///
    /// # Errors
    /// There is a file already, or its folder is missing or read-only.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, AssetError> {
        let path = path.as_ref();
        Self::new(path, true, open::create(path)?)
    }

    /// Opens a database for reading. Works in a read-only folder too.
    ///
    /// # Errors
    /// As [`AssetRegistry::open`].
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, AssetError> {
        let path = path.as_ref();
        let (connection, file_version) = open::open_read_only(path)?;
        Ok(Self { file_version, ..Self::new(path, false, connection)? })
    }

    /// An empty registry without a file.
    ///
    /// # Errors
    /// SQLite cannot get memory.
    pub fn in_memory() -> Result<Self, AssetError> {
        let path = Path::new(":memory:");
        let connection = open::in_memory().map_err(|error| open::sqlite_error(path, BUSY_TIMEOUT, error))?;
        Self::new(path, true, connection)
    }

    fn new(path: &Path, writable: bool, connection: Connection) -> Result<Self, AssetError> {
        let registry = Self {
            path: path.to_owned(),
            writable,
            busy_timeout: BUSY_TIMEOUT,
            file_version: SCHEMA_VERSION,
            inner: Mutex::new(Inner { connection, data_version: 0, loaded: HashMap::new() }),
        };
        registry.with_current(|_| Ok(()))?;
        Ok(registry)
    }

    /// The file; `:memory:` for none.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Version of the tables in the file: below [`SCHEMA_VERSION`] only where an older file was opened for reading.
    #[must_use]
    pub fn file_version(&self) -> u32 {
        self.file_version
    }

    /// How long to wait for another writer; [`BUSY_TIMEOUT`] unless set.
    ///
    /// # Errors
    /// SQLite refuses.
    pub fn set_busy_timeout(&mut self, timeout: Duration) -> Result<(), AssetError> {
        self.lock().connection.busy_timeout(timeout).map_err(|error| self.sqlite(error))?;
        self.busy_timeout = timeout;
        Ok(())
    }

    /// The asset of that name; `None` if there is none.
    ///
    /// # Errors
    /// The file cannot be read, or the asset under that name is damaged.
    pub fn get(&self, name: &str) -> Result<Option<Arc<Asset>>, AssetError> {
        match self.id_of(name)? {
            Some(id) => self.get_by_id(id),
            None => Ok(None),
        }
    }

    /// The asset of that id; `None` if there is none.
    ///
    /// # Errors
    /// As [`AssetRegistry::get`].
    pub fn get_by_id(&self, id: AssetId) -> Result<Option<Arc<Asset>>, AssetError> {
        self.with_current(|inner| {
            if let Some(asset) = inner.loaded.get(&id) {
                return Ok(Some(Arc::clone(asset)));
            }
            let row = store::select(&inner.connection, id).map_err(|error| self.sqlite(error))?;
            let Some(row) = row else { return Ok(None) };
            let asset = Arc::new(row.decode(&self.path)?);
            inner.loaded.insert(id, Arc::clone(&asset));
            Ok(Some(asset))
        })
    }

    /// The id of that name; `None` if there is none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn id_of(&self, name: &str) -> Result<Option<AssetId>, AssetError> {
        store::select_id(&self.lock().connection, name).map_err(|error| self.sqlite(error))
    }

    /// Every asset in order of name, without decoding its geometry.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn list(&self) -> Result<Vec<AssetSummary>, AssetError> {
        store::summaries(&self.lock().connection).map_err(|error| self.sqlite(error))
    }

    /// Adds an asset.
    ///
    /// # Errors
    /// The asset is not valid, its name is in use, or the file cannot be written.
    pub fn insert(&mut self, asset: &Asset) -> Result<AssetId, AssetError> {
        Ok(self.insert_all(std::slice::from_ref(asset))?[0])
    }

    /// Adds assets, all or none, in one transaction.
    ///
    /// # Errors
    /// As [`AssetRegistry::insert`], for the first that fails.
    pub fn insert_all(&mut self, assets: &[Asset]) -> Result<Vec<AssetId>, AssetError> {
        let rows = assets.iter().map(store::encode).collect::<Result<Vec<_>, _>>()?;
        self.write(|transaction| {
            rows.iter().map(|row| store::insert(transaction, row)).collect::<rusqlite::Result<Vec<_>>>()
        })?
        .into_iter()
        .zip(assets)
        .map(|(id, asset)| id.ok_or_else(|| AssetError::NameTaken(asset.name.clone())))
        .collect()
    }

    /// Removes the asset of that name; false if there is none.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn remove(&mut self, name: &str) -> Result<bool, AssetError> {
        let removed = self.write(|transaction| Ok(vec![store::delete(transaction, name)?]))?;
        for id in removed.iter().flatten() {
            self.lock().loaded.remove(id);
        }
        Ok(removed.iter().any(Option::is_some))
    }

    /// Every error of the file and of each asset in it, in words; empty if there is none.
    ///
    /// # Errors
    /// The file cannot be read at all.
    pub fn verify(&self) -> Result<Vec<String>, AssetError> {
        let mut problems = store::integrity(&self.lock().connection).map_err(|error| self.sqlite(error))?;
        for summary in self.list()? {
            if let Err(error) = self.get_by_id(summary.id) {
                problems.push(error.to_string());
            }
        }
        Ok(problems)
    }

    /// Runs changes in one transaction; if any of them yields `None`, nothing is kept.
    fn write<T>(
        &mut self,
        change: impl FnOnce(&Connection) -> rusqlite::Result<Vec<Option<T>>>,
    ) -> Result<Vec<Option<T>>, AssetError> {
        if !self.writable {
            return Err(AssetError::OpenedReadOnly(self.path.clone()));
        }
        let mut inner = self.lock();
        let run = || -> rusqlite::Result<Vec<Option<T>>> {
            let transaction = inner.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let results = change(&transaction)?;
            if results.iter().all(Option::is_some) {
                transaction.commit()?;
            }
            Ok(results)
        };
        run().map_err(|error| self.sqlite(error))
    }

    /// Runs `read` after dropping cached data that another process has changed.
    fn with_current<T>(
        &self,
        read: impl FnOnce(&mut Inner) -> Result<T, AssetError>,
    ) -> Result<T, AssetError> {
        let mut inner = self.lock();
        let version = store::data_version(&inner.connection).map_err(|error| self.sqlite(error))?;
        if version != inner.data_version {
            inner.loaded.clear();
            inner.data_version = version;
        }
        read(&mut inner)
    }

    /// A panic elsewhere cannot leave `Inner` half changed: each change of it is one call.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sqlite(&self, error: rusqlite::Error) -> AssetError {
        open::sqlite_error(&self.path, self.busy_timeout, error)
    }
}

#[cfg(test)]
mod tests;

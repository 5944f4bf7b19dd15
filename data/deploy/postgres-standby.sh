#!/bin/sh
# The standby of compose.cluster.yaml: copies the primary, which PGHOST names, at its first start, and follows it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  chmod 700 "$PGDATA"
  until pg_basebackup --pgdata "$PGDATA" --dbname 'user=replication application_name=standby' \
    --slot standby --wal-method stream --write-recovery-conf --no-password; do
    sleep 1
  done
fi
exec postgres

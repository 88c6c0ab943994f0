#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume: makes the database of the server, and its role, which is no superuser.
set -eu
psql --username postgres --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/gatehouse_password)" <<'SQL'
CREATE ROLE gatehouse LOGIN PASSWORD :'password';
CREATE DATABASE gatehouse OWNER gatehouse;
GRANT pg_checkpoint TO gatehouse;
SQL

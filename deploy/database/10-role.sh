#!/bin/sh
# Runs once, when the database is made: the lab gets a role that owns its tables and nothing else, so
# that an app which was taken over cannot run programs on this machine, as a superuser could.
set -eu
psql --quiet --no-psqlrc --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
	--set password="$(cat "$LAB_PASSWORD_FILE")" <<'SQL'
CREATE ROLE lab LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD :'password';
CREATE DATABASE lab OWNER lab;
REVOKE ALL ON DATABASE lab, postgres FROM PUBLIC;
SQL

-- Who may do what in the archive's database. Once, as PostgreSQL's own user: psql -v ON_ERROR_STOP=1 -f roles.sql
-- Then give each user a password: psql -c '\password archive' -c '\password pages'

-- The workers: they own the tables, and make a partition of records for each day.
CREATE ROLE archive LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
-- The pages: what they may read and whom they let in, `tablebridge archive --migrate` grants table by table; no record, nothing sealed.
CREATE ROLE pages LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;

CREATE DATABASE archive OWNER archive;
REVOKE ALL ON DATABASE archive FROM PUBLIC;
GRANT CONNECT ON DATABASE archive TO pages;
\connect archive
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO pages;

-- Who may do what in the archive's database. Once, as PostgreSQL's own user: psql -v ON_ERROR_STOP=1 -f roles.sql
-- Then give each user a password: psql -c '\password archive' -c '\password pages'

-- The workers: they own the tables, and make a partition of records for each day.
CREATE ROLE archive LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
-- Whoever shows the archive: reads, and nothing else.
CREATE ROLE pages LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
ALTER ROLE pages SET default_transaction_read_only = on;

CREATE DATABASE archive OWNER archive;
REVOKE ALL ON DATABASE archive FROM PUBLIC;
GRANT CONNECT ON DATABASE archive TO pages;
\connect archive
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO pages;
ALTER DEFAULT PRIVILEGES FOR ROLE archive IN SCHEMA public GRANT SELECT ON TABLES TO pages;

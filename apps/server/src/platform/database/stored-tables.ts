/** All tables as PostgreSQL stores them; each area adds its own in the `tables.generated.ts` beside its migrations. */

// eslint-disable-next-line typescript/no-empty-object-type
export interface StoredTables {}

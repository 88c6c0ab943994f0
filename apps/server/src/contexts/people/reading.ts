/** What areas above read of persons in statements of their own. */
import { sql } from '../../platform/database/database.ts'

/** Persons as a source in SQL: `JOIN ${PERSONS} ON person.id = …`. */
export const PERSONS = sql.table('person')

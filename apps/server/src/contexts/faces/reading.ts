/** SQL on photographs for the statements of higher areas. */
import { sql } from '../../platform/database/database.ts'

/** Photographs as a source in SQL. */
export const FACES = sql.table('face')

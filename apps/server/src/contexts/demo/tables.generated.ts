/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Json } from '../../platform/database/json.ts'

declare module '../../platform/database/stored-tables.ts' {
  interface StoredTables {
    demo: {
      parkId: string
      state: string
      done: number
      total: number
      beganAt: number | null
      tokenId: string | null
      renamed: Json<unknown, undefined>
      removed: Json<unknown, undefined>
    }
    demoThing: {
      parkId: string
      entity: string
      id: string
    }
  }
}

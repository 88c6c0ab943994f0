/** Tables of the photographs of persons and contacts, their templates by model, and how strictly a park compares faces. */
import { sql } from 'kysely'
import { boundMigration } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    face: {
      /** Null while the photograph is only cached (checked, but not saved with a person yet), and for one of a contact. */
      personId: string | null
      /** The contact whom the photograph shows: it is stored and has templates, but takes no part in comparisons of persons. */
      contactId: string | null
      /** Since when it is excluded from comparison; null while it is compared. */
      setAsideAt: number | null
    }
    faceTemplate: {
      /** Encrypted little-endian float32. */
      template: Buffer
    }
    /** Photographs a model refused, with the business code of the reason. */
    faceRefusal: {}
    facePolicy: {
      /** Strangers let in of a thousand; `watch_list_promise` is false alarms a day, `search_promise` wrong faces a search. */
      doorPromise: number
      /**
       * Preset from before there were promises, as are the columns for the other purposes and custom scores; null once promises
       * are set.
       */
      doorPrecision: number | null
    }
  }
}

/** Templates, one for each photograph and model. */
export const FACE_TEMPLATE: SealedColumn = { table: 'face_template', column: 'template', park: 'park_id', key: ['face_id', 'model_id'] }

export const facesMigrations: ContextMigration[] = [
  {
    name: '20261120T1803-faces-initial',
    async up(db) {
      await sql`CREATE TABLE face (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid, position smallint NOT NULL, file_id uuid NOT NULL,
        model_id text NOT NULL, template bytea NOT NULL, quality jsonb NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX face_person ON face (person_id, position)`.execute(db)
      await sql`CREATE INDEX face_park ON face (park_id)`.execute(db)
      await sql`CREATE INDEX face_cached ON face (created_at) WHERE person_id IS NULL`.execute(db)
    },
    columns: {
      face: { id: 'none', park_id: 'none', person_id: 'none', position: 'none', file_id: 'biometric', quality: 'none', created_at: 'none' },
    },
  },
  {
    // Expand and contract in one step: nothing was released between the two forms, so no older server reads the dropped columns.
    name: '20261121T0101-faces-templates-by-model',
    async up(db) {
      // The name is needed for a table: the settings of a person's face.
      await sql`ALTER INDEX face_person RENAME TO face_of_person`.execute(db)
      await sql`CREATE TABLE face_template (
        face_id uuid NOT NULL REFERENCES face (id) ON DELETE CASCADE, park_id uuid NOT NULL, model_id text NOT NULL,
        template bytea NOT NULL,
        made_at timestamptz(3) NOT NULL, PRIMARY KEY (face_id, model_id))`.execute(db)
      await sql`CREATE INDEX face_template_park ON face_template (park_id, model_id)`.execute(db)
      await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
        SELECT id, park_id, model_id, template, created_at FROM face`.execute(db)
      await sql`ALTER TABLE face DROP COLUMN model_id, DROP COLUMN template, ADD COLUMN set_aside_at timestamptz(3)`.execute(db)
      await sql`CREATE TABLE face_refusal (
        face_id uuid NOT NULL REFERENCES face (id) ON DELETE CASCADE, model_id text NOT NULL, park_id uuid NOT NULL, code integer NOT NULL,
        at timestamptz(3) NOT NULL, PRIMARY KEY (face_id, model_id))`.execute(db)
      await sql`CREATE INDEX face_refusal_park ON face_refusal (park_id, model_id)`.execute(db)
      await sql`CREATE TABLE face_policy (
        park_id uuid PRIMARY KEY, door_precision smallint NOT NULL, door_custom double precision, watch_list_precision smallint NOT NULL,
        watch_list_custom double precision, search_precision smallint NOT NULL, search_custom double precision,
        margin double precision NOT NULL,
        look_alike_margin double precision NOT NULL, photos_wanted smallint NOT NULL, liveness_mode text NOT NULL,
        liveness_threshold double precision, version integer NOT NULL, updated_at timestamptz(3) NOT NULL)`.execute(db)
    },
    columns: {
      face: { set_aside_at: 'none' },
      face_template: { face_id: 'none', park_id: 'none', model_id: 'none', template: 'biometric', made_at: 'none' },
      face_refusal: { face_id: 'none', model_id: 'none', park_id: 'none', code: 'none', at: 'none' },
      face_policy: {
        park_id: 'none',
        door_precision: 'none',
        door_custom: 'none',
        watch_list_precision: 'none',
        watch_list_custom: 'none',
        search_precision: 'none',
        search_custom: 'none',
        margin: 'none',
        look_alike_margin: 'none',
        photos_wanted: 'none',
        liveness_mode: 'none',
        liveness_threshold: 'none',
        version: 'none',
        updated_at: 'none',
      },
    },
  },
  {
    name: '20261122T0600-faces-contacts',
    async up(db) {
      await sql`ALTER TABLE face ADD COLUMN contact_id uuid, ADD CONSTRAINT face_of_one CHECK (person_id IS NULL
        OR contact_id IS NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX face_of_contact ON face (contact_id)`.execute(db)
      await sql`DROP INDEX face_cached`.execute(db)
      await sql`CREATE INDEX face_cached ON face (created_at) WHERE person_id IS NULL AND contact_id IS NULL`.execute(db)
    },
    columns: { face: { contact_id: 'none' } },
  },
  boundMigration('20261127T1250-faces-bound', [FACE_TEMPLATE]),
  {
    name: '20261129T0530-faces-promises',
    async up(db) {
      await sql`ALTER TABLE face_policy ADD COLUMN door_promise double precision NOT NULL DEFAULT 10,
        ADD COLUMN watch_list_promise double precision NOT NULL DEFAULT 1, ADD COLUMN search_promise double precision NOT NULL DEFAULT 1,
        ALTER COLUMN door_precision DROP NOT NULL, ALTER COLUMN watch_list_precision DROP NOT NULL,
        ALTER COLUMN search_precision DROP NOT NULL`.execute(db)
      // Parks without settings used the standard preset; they get a row, so that they too are shown what becomes of it.
      await sql`INSERT INTO face_policy (park_id, door_precision, watch_list_precision, search_precision, margin, look_alike_margin,
          photos_wanted, liveness_mode, version, updated_at)
        SELECT DISTINCT park_id, 3, 3, 3, 5, 10, 2, 'off', 1, now() FROM face ON CONFLICT DO NOTHING`.execute(db)
      // A preset stays as much stricter than the standard as before; none becomes looser than the default promise.
      for (const purpose of ['door', 'watch_list', 'search'] as const) {
        const [promise, precision, custom] = [`${purpose}_promise`, `${purpose}_precision`, `${purpose}_custom`].map((name) =>
          sql.ref(name),
        )
        await sql`UPDATE face_policy SET ${promise} = ${promise} * CASE
          WHEN ${precision} = 1 OR (${precision} = 6 AND ${custom} >= 83) THEN 0.01
          WHEN ${precision} = 2 OR (${precision} = 6 AND ${custom} >= 78) THEN 0.1 ELSE 1 END`.execute(db)
      }
      await sql`ALTER TABLE face_policy ALTER COLUMN door_promise DROP DEFAULT, ALTER COLUMN watch_list_promise DROP DEFAULT,
        ALTER COLUMN search_promise DROP DEFAULT`.execute(db)
    },
    columns: { face_policy: { door_promise: 'none', watch_list_promise: 'none', search_promise: 'none' } },
  },
]

/**
 * Persons and devices in bulk, written straight into the tables: for benchmarks and the simulator's own world only, where
 * making a hundred thousand persons through calls would take an hour. Tests of behaviour go through the builders.
 */
import { createHash } from 'node:crypto'
import { FACE_TEMPLATE } from '@gatehouse/server/contexts/faces/schema'
import { sql } from '@gatehouse/server/platform/database/database'
import { newId } from '@gatehouse/server/platform/database/ids'
import { placeOf } from '@gatehouse/server/platform/encryption/sealed-column'
import type { Server } from '@gatehouse/server/server'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import type { Made } from '../site.ts'
import type { World } from '../world.ts'
import type { Credentials } from './fleet.ts'

export interface SeededDevice extends Made, Credentials {}

export interface Crowd {
  group: Made
  personIds: string[]
}

export interface SeedOptions {
  /** Prefix of names, codes and work numbers; different at each call. */
  prefix: string
  count: number
}

const CHUNK = 5_000
const MALE = 1

function* chunks<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += CHUNK) yield list.slice(from, from + CHUNK)
}

/** Return a random template that belongs to nobody: as long as a real one and as incompressible. */
function templateOf(seed: string, dimensions: number): Buffer {
  const random = randomOf(seed)
  return Buffer.from(Float32Array.from({ length: dimensions }, () => random.between(-0.2, 0.2)).buffer)
}

/** Insert persons with a face each, in a group of their own. @param photo file id that stands for all photographs */
export async function seedPersons(
  { server, park, personGroup }: World,
  { prefix, count, photo = newId() }: SeedOptions & { photo?: string },
): Promise<Crowd> {
  const { db, crypto, clock } = server.platform
  const group = await personGroup({ name: `${prefix}_persons` })
  const { modelId, dimensions } = server.contexts.faces.service.description
  const personIds = Array.from({ length: count }, () => newId())
  const now = new Date(clock.now())
  let number = 0
  for (const ids of chunks(personIds)) {
    const names = ids.map(() => `${prefix} ${++number}`)
    await sql`INSERT INTO person (id, park_id, group_id, kind, name, work_number, gender, face_count, created_at, updated_at)
      SELECT id, ${park.id}::uuid, ${group.id}::uuid, 'staff', name, replace(name, ' ', '-'), ${MALE}, 1, ${now}, ${now}
      FROM unnest(${sql.val(ids)}::uuid[], ${sql.val(names)}::text[]) AS made (id, name)`.execute(db)
    const faceIds = ids.map(() => newId())
    const templates = await Promise.all(
      ids.map((id, at) => crypto.seal(park.id, placeOf(FACE_TEMPLATE, faceIds[at]!, modelId), templateOf(id, dimensions))),
    )
    await sql`INSERT INTO face (id, park_id, person_id, position, file_id, quality, created_at)
      SELECT id, ${park.id}::uuid, person_id, 0, ${photo}::uuid, '{}'::jsonb, ${now}
      FROM unnest(${sql.val(faceIds)}::uuid[], ${sql.val(ids)}::uuid[]) AS made (id, person_id)`.execute(db)
    await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
      SELECT id, ${park.id}::uuid, ${modelId}, template, ${now}
      FROM unnest(${sql.val(faceIds)}::uuid[], ${sql.val(templates)}::bytea[]) AS made (id, template)`.execute(db)
  }
  await synchronised(server, park.id)
  return { group, personIds }
}

/** Insert devices in a group of their own, with secrets known to the caller. Persons may be released to them. */
export async function seedDevices(
  { server, park, deviceGroup }: World,
  { prefix, count }: SeedOptions,
): Promise<{ group: Made; devices: SeededDevice[] }> {
  const group = await deviceGroup(`${prefix}_devices`)
  const devices = Array.from({ length: count }, (_, index): SeededDevice => {
    const code = `${prefix}-${index + 1}`
    return { id: newId(), name: code, code, secret: createHash('sha256').update(code).digest('base64url') }
  })
  const now = new Date(server.platform.clock.now())
  for (const some of chunks(devices)) {
    const hashes = some.map(({ secret }) => createHash('sha256').update(secret).digest())
    await sql`INSERT INTO device (id, park_id, code, name, type, model, group_id, direction, secret_hash, released_at, created_at,
      updated_at)
      SELECT id, ${park.id}::uuid, code, code, 3, 4, ${group.id}::uuid, 1, secret_hash, ${now}, ${now}, ${now}
      FROM unnest(${sql.val(some.map(({ id }) => id))}::uuid[], ${sql.val(some.map(({ code }) => code))}::text[],
        ${sql.val(hashes)}::bytea[])
        AS made (id, code, secret_hash)`.execute(server.platform.db)
  }
  await synchronised(server, park.id)
  return { group, devices }
}

/** Make the server read again what was written without its knowledge. */
async function synchronised(server: Server, parkId: string): Promise<void> {
  await sql`ANALYZE person, face, face_template, device`.execute(server.platform.db)
  const synchronisation = server.contexts.synchronisation.service
  synchronisation.mark({ parkId }, { everything: true })
  await synchronisation.settled()
}

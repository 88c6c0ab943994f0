/**
 * Persons with many photographs each, written directly into the tables: more than the screens permit, for benchmarks and for the test of
 * large galleries. A face is a random direction of length 1, a photograph of it is that direction with noise; there is no picture.
 */
import { FACE_TEMPLATE } from '@gatehouse/server/contexts/faces/schema'
import { sql } from '@gatehouse/server/platform/database/database'
import { newId } from '@gatehouse/server/platform/database/ids'
import { placeOf } from '@gatehouse/server/platform/encryption/sealed-column'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { bytesOfEmbedding } from '@gatehouse/face-engine/template-bytes'
import type { Made } from './site.ts'
import type { World } from './world.ts'

export interface FaceCrowd {
  /** Group of the persons. */
  group: Made
  personIds: string[]
  /** Ids of the photographs. The first of every person comes before the second of any. */
  faceIds: string[]
  modelId: string
  dimensions: number
  /** Embeddings, one photograph after another. */
  embeddings: Float32Array
  /** Return the number of the person of a photograph. */
  ownerOf(photograph: number): number
  /** Return another photograph of a person, as a device would take it. */
  anotherOf(person: number, random: Random): Float32Array
}

export interface CrowdOptions {
  /** Prefix of names and work numbers; different at each call. */
  prefix: string
  persons: number
  photographs: number
  /** Default: the model of the world's own server. */
  model?: { modelId: string; dimensions: number }
}

/** Spread of the photographs of one face in each of the 128 dimensions of a direction of length 1. Two photographs are about 0.4 apart. */
const SCATTER = 0.025
const CHUNK = 5_000
const MALE = 1

type Places = Pick<World, 'server' | 'park' | 'personGroup'>

/** Return a generator of normally distributed numbers, which are computed two at a time. */
function normalOf(random: Random): () => number {
  let kept: number | null = null
  return () => {
    if (kept !== null) {
      const other = kept
      kept = null
      return other
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
    const angle = 2 * Math.PI * random.next()
    kept = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}

function unit(numbers: Float32Array): Float32Array {
  let squared = 0
  for (const number of numbers) squared += number * number
  const length = Math.sqrt(squared)
  return numbers.map((number) => number / length)
}

const faceOf = (dimensions: number, random: Random): Float32Array => unit(Float32Array.from({ length: dimensions }, normalOf(random)))

/** Return a photograph of a face. Its distance from the face is the same in any number of dimensions. */
function photographOf(face: Float32Array, random: Random): Float32Array {
  const normal = normalOf(random)
  const scatter = SCATTER * Math.sqrt(128 / face.length)
  return unit(face.map((number) => number + scatter * normal()))
}

/**
 * Make a crowd. Everything random follows from the prefix, except for the ids. The server is notified of the persons, and not of their
 * faces.
 */
export async function seedCrowd(world: Places, { prefix, persons, photographs, model }: CrowdOptions): Promise<FaceCrowd> {
  const { server, park } = world
  const { db, clock } = server.platform
  const { modelId, dimensions } = model ?? server.contexts.faces.service.description
  const group = await world.personGroup({ name: `${prefix}_persons` })
  const random = randomOf(`${prefix} photographs`)
  const faces = Array.from({ length: persons }, (_, person) => faceOf(dimensions, randomOf(`${prefix} face ${person}`)))
  const personIds = faces.map(() => newId())
  const now = new Date(clock.now())
  const ownerOf = (photograph: number) => photograph % persons
  const countOf = (person: number) => Math.floor((photographs - 1 - person) / persons) + 1
  for (let from = 0; from < persons; from += CHUNK) {
    const ids = personIds.slice(from, from + CHUNK)
    const names = ids.map((_, at) => `${prefix} ${from + at + 1}`)
    const counts = ids.map((_, at) => countOf(from + at))
    await sql`INSERT INTO person (id, park_id, group_id, kind, name, work_number, gender, face_count, created_at, updated_at)
      SELECT id, ${park.id}::uuid, ${group.id}::uuid, 'staff', name, replace(name, ' ', '-'), ${MALE}, photographs, ${now}, ${now}
      FROM unnest(${sql.val(ids)}::uuid[], ${sql.val(names)}::text[], ${sql.val(counts)}::integer[]) AS made (id, name,
        photographs)`.execute(db)
  }
  const faceIds: string[] = []
  const embeddings = new Float32Array(photographs * dimensions)
  for (let from = 0; from < photographs; from += CHUNK) {
    const some = Array.from({ length: Math.min(CHUNK, photographs - from) }, (_, at) => {
      const embedding = photographOf(faces[ownerOf(from + at)]!, random)
      embeddings.set(embedding, (from + at) * dimensions)
      return { personId: personIds[ownerOf(from + at)]!, position: Math.floor((from + at) / persons), embedding }
    })
    faceIds.push(...(await insertPhotographs(world, modelId, some)))
  }
  await sql`ANALYZE person, face, face_template`.execute(db)
  const synchronisation = server.contexts.synchronisation.service
  synchronisation.mark({ parkId: park.id }, { everything: true })
  await synchronisation.settled()
  return {
    group,
    personIds,
    faceIds,
    modelId,
    dimensions,
    embeddings,
    ownerOf,
    anotherOf: (person, seed) => photographOf(faces[person]!, seed),
  }
}

/**
 * Store photographs that were checked and that no person has yet, as `POST /face/cache` leaves them: `each` of these faces.
 * @returns their ids, face by face
 */
export async function seedChecked(
  world: Places,
  { prefix, faces, each }: { prefix: string; faces: number; each: number },
): Promise<{ faceIds: string[]; another(random: Random): Float32Array }[]> {
  const { modelId, description } = world.server.contexts.faces.service
  const made = Array.from({ length: faces }, (_, number) => faceOf(description.dimensions, randomOf(`${prefix} face ${number}`)))
  const random = randomOf(`${prefix} photographs`)
  const rows = made.flatMap((face) =>
    Array.from({ length: each }, () => ({ personId: null, position: 0, embedding: photographOf(face, random) })),
  )
  const faceIds = await insertPhotographs(world, modelId, rows)
  return made.map((face, number) => ({
    faceIds: faceIds.slice(number * each, (number + 1) * each),
    another: (seed) => photographOf(face, seed),
  }))
}

/** Insert rows of photographs and their templates. @returns their ids */
async function insertPhotographs(
  { server, park }: Places,
  modelId: string,
  photographs: readonly { personId: string | null; position: number; embedding: Float32Array }[],
): Promise<string[]> {
  const { db, crypto, clock } = server.platform
  const now = new Date(clock.now())
  const ids = photographs.map(() => newId())
  const files = photographs.map(() => newId())
  const templates = await Promise.all(
    photographs.map(({ embedding }, at) => crypto.seal(park.id, placeOf(FACE_TEMPLATE, ids[at]!, modelId), bytesOfEmbedding(embedding))),
  )
  await sql`INSERT INTO face (id, park_id, person_id, position, file_id, quality, created_at)
    SELECT id, ${park.id}::uuid, person_id, position, file_id, '{}'::jsonb, ${now}
    FROM unnest(${sql.val(ids)}::uuid[], ${sql.val(photographs.map(({ personId }) => personId))}::uuid[],
      ${sql.val(photographs.map(({ position }) => position))}::integer[],
      ${sql.val(files)}::uuid[]) AS made (id, person_id, position, file_id)`.execute(db)
  await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
    SELECT id, ${park.id}::uuid, ${modelId}, template, ${now}
    FROM unnest(${sql.val(ids)}::uuid[], ${sql.val(templates)}::bytea[]) AS made (id, template)`.execute(db)
  return ids
}

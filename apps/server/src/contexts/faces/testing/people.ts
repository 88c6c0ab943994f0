/** People with templates of which everything is known, for tests; nothing of them is a face. */
import { gender } from '@gatehouse/contract/enums'
import type { Made, Site, World } from '@gatehouse/dev-env/world'
import { BUILTIN_DIMENSIONS, bytesOfEmbedding } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { sql } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/ids.ts'
import { placeOf } from '../../../platform/encryption/sealed-column.ts'
import { NO_DETAILS, sealedDetailsOf } from '../../people/details.ts'
import { facesChanged } from '../events.ts'
import { FACE_TEMPLATE } from '../schema.ts'

export interface SeededPerson {
  id: string
  name: string
  groupId: string
  gender: number
  birthday: string | null
  faces: { id: string; embedding: Float32Array }[]
}

/** How people are made: what all of them share, and in how many directions the rest differs. */
interface Likeness {
  shared: number
  directions: number
}
/** The model's curve takes one pair in six of them for as alike as one in a hundred of its own. */
export const ALIKE: Likeness = { shared: 0.8, directions: 25 }
/** Hardly anybody looks like anybody else. */
export const UNLIKE: Likeness = { shared: 0.5, directions: 200 }

/** So many people of a group, with photographs that are near each other. */
export function peopleOf(count: number, group: Made, { shared, directions }: Likeness, seed: string, photos = 1): SeededPerson[] {
  const random = randomOf(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  // In the order of their ids, whatever chance makes of them: what is measured is the same each time.
  const ids = Array.from({ length: count }, () => newId()).toSorted()
  return Array.from({ length: count }, (_, at) => {
    const own = Array.from({ length: directions }, normal)
    const length = Math.hypot(...own)
    const embedding = () => {
      const numbers = new Float32Array(BUILTIN_DIMENSIONS)
      numbers[0] = Math.sqrt(shared)
      own.forEach((number, place) => (numbers[1 + place] = (Math.sqrt(1 - shared) * number) / length + 0.035 * normal()))
      const whole = Math.hypot(...numbers)
      return numbers.map((number) => number / whole)
    }
    return {
      id: ids[at]!,
      name: `${seed} ${at}`,
      groupId: group.id,
      gender: gender.female,
      birthday: null,
      faces: Array.from({ length: photos }, () => ({ id: newId(), embedding: embedding() })),
    }
  })
}

/** Writes people past the calls, which would want a photograph for each template, and lets the search hear of them. */
export async function seedPeople(world: World, { park }: Pick<Site, 'park'>, people: readonly SeededPerson[]): Promise<void> {
  const { platform, contexts } = world.server
  const now = new Date(platform.clock.now())
  const faces = people.flatMap((person) => person.faces.map((face, position) => ({ ...face, personId: person.id, position })))
  const { modelId } = contexts.faces.service
  const templates = await Promise.all(
    faces.map(({ id, embedding }) => platform.crypto.seal(park.id, placeOf(FACE_TEMPLATE, id, modelId), bytesOfEmbedding(embedding))),
  )
  const column = (values: readonly unknown[], type: string) => sql`${sql.val(values)}::${sql.raw(type)}[]`
  const details = await Promise.all(
    people.map(
      async ({ id, birthday }) => (await sealedDetailsOf(platform.crypto, { parkId: park.id }, id, { ...NO_DETAILS, birthday })).details,
    ),
  )
  await sql`INSERT INTO person (id, park_id, group_id, kind, name, gender, details, face_count, created_at, updated_at)
    SELECT id, ${park.id}::uuid, group_id, 'staff', name, gender, details, 1, ${now}, ${now}
    FROM unnest(${column(
      people.map(({ id }) => id),
      'uuid',
    )}, ${column(
      people.map(({ groupId }) => groupId),
      'uuid',
    )}, ${column(
      people.map(({ name }) => name),
      'text',
    )},
      ${column(
        people.map((person) => person.gender),
        'smallint',
      )}, ${column(details, 'bytea')}) AS made (id, group_id, name, gender, details)`.execute(platform.db)
  await sql`INSERT INTO face (id, park_id, person_id, position, file_id, quality, created_at)
    SELECT id, ${park.id}::uuid, person_id, position, id, '{}'::jsonb, ${now}
    FROM unnest(${column(
      faces.map(({ id }) => id),
      'uuid',
    )}, ${column(
      faces.map(({ personId }) => personId),
      'uuid',
    )}, ${column(
      faces.map(({ position }) => position),
      'smallint',
    )}) AS made (id, person_id, position)`.execute(platform.db)
  await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
    SELECT face_id, ${park.id}::uuid, ${modelId}, template, ${now}
    FROM unnest(${column(
      faces.map(({ id }) => id),
      'uuid',
    )}, ${column(templates, 'bytea')}) AS made (face_id, template)`.execute(platform.db)
  await platform.transaction((tx) => platform.events.announce(tx, facesChanged, park.id, { personIds: people.map(({ id }) => id) }))
  await platform.events.settled()
}

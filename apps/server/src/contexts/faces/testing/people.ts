/** People with synthetic templates for tests; none of them is a real face. */
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

/** How people are generated: the share common to all, and the number of dimensions in which the rest differs. */
interface Likeness {
  shared: number
  directions: number
}
/** One pair in six is as alike as one pair in a hundred by the model's curve. */
export const ALIKE: Likeness = { shared: 0.8, directions: 25 }
/** Hardly anybody looks like anybody else. */
export const UNLIKE: Likeness = { shared: 0.5, directions: 200 }

/** Generate `count` people of a group; the photographs of one person are near each other. */
export function peopleOf(count: number, group: Made, { shared, directions }: Likeness, seed: string, photos = 1): SeededPerson[] {
  const random = randomOf(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  // Sorted, because the order of ids is otherwise random: the measurement is then the same each time.
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

/** Insert people directly, since calls would require a photograph for each template, and announce them to the search. */
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

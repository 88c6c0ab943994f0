/** People registration: list, one person, pictures before they are somebody's. */
import { randomUUID } from 'node:crypto'
import { FACE_FILE_MAX, FACES_PER_PERSON, PASSCODE_MAX, PASSCODE_MIN, PERSON_NAME_MAX, PERSON_NUMBER_MAX } from '@gatehouse/contract/limits'
import { ids, instant, pageQuery, rule } from '@gatehouse/contract'
import { z } from 'zod'
import { ConsoleFile, ConsoleRefusal } from './answers.ts'
import { fieldRefusal, fitting, read, type ConsoleCalls } from './call.ts'
import type { FaceReader } from './face-reader.ts'
import type { LocalEntry, LocalFace, LocalPeople, LocalPerson } from './local-people.ts'

const PASSWORD = new RegExp(`^\\d{${PASSCODE_MIN},${PASSCODE_MAX}}$`)
/** Milliseconds a picture waits for the person it is handed in for. */
const PICTURE_WAITS = 15 * 60_000
const PICTURES_WAITING = 24

const personForm = z
  .object({
    name: z.string().trim().min(1).max(PERSON_NAME_MAX),
    workNumber: z.string().trim().min(1).max(PERSON_NUMBER_MAX),
    card: z.string().trim().max(32).default(''),
    /** Absent: the one there was; empty: none. */
    password: z
      .string()
      .refine((value) => value === '' || PASSWORD.test(value), rule('digits', { min: PASSCODE_MIN, max: PASSCODE_MAX }))
      .optional(),
    validFrom: instant.nullable().default(null),
    validTo: instant.nullable().default(null),
    /** Ids of faces the person has, and of pictures handed in. */
    faces: z.array(z.string().max(64)).max(FACES_PER_PERSON).default([]),
  })
  .refine(({ validFrom, validTo }) => validFrom === null || validTo === null || validFrom < validTo, {
    path: ['validTo'],
    ...rule('periodOrder'),
  })

const search = pageQuery.extend({ search: z.string().max(100).default('') })

export interface PeopleParts {
  people: LocalPeople
  reader: FaceReader
  /** The number of a card as it is compared; null for a text that is none. */
  cardNumber: (text: string) => string | null
  /** Whether somebody whom the server sent has this card. */
  cardHeld: (card: string) => boolean
  /** Persons there is room for yet, those the server sent counted. */
  room: () => number
  clock: () => number
}

export function peopleCalls(parts: PeopleParts): ConsoleCalls {
  const { people, reader, clock } = parts
  const waiting = new Map<string, { face: LocalFace; since: number }>()

  /** @throws ConsoleRefusal registrationAbnormal for a picture that is neither the person's nor waits any more */
  function facesOf(asked: readonly string[], person: LocalPerson | null): (string | LocalFace)[] {
    return asked.map((id) => {
      if (person?.faces.includes(id)) return id
      const handedIn = waiting.get(id)
      if (!handedIn) throw fieldRefusal('faces', 'pictureGone', { code: 'registrationAbnormal' })
      return handedIn.face
    })
  }

  function tidy(): void {
    for (const [id, { since }] of waiting) if (clock() - since > PICTURE_WAITS || waiting.size >= PICTURES_WAITING) waiting.delete(id)
  }

  function save(asked: z.output<typeof personForm>, before: LocalPerson | null): { id: string } {
    const { faces, password = before?.password ?? '', ...rest } = asked
    const card = rest.card === '' ? '' : parts.cardNumber(rest.card)
    if (card === null) throw fieldRefusal('card', 'card', { code: 'registrationAbnormal' })
    const values: LocalEntry = { ...rest, card, password }
    const double = people.byPassword(password)
    if (double && double.id !== before?.id) throw fieldRefusal('password', 'passwordTaken', { code: 'registrationAbnormal' })
    refuseTaken(parts, values, before?.id ?? null)
    const kept = facesOf(faces, before)
    if (kept.length === 0) throw fieldRefusal('faces', 'picture', { code: 'registrationAbnormal' })
    const { id } = before
      ? people.change(before.id, values, kept)
      : people.add(
          values,
          kept.filter((face) => typeof face !== 'string'),
        )
    for (const face of faces) waiting.delete(face)
    return { id }
  }

  return {
    'GET people': {
      run({ values }) {
        const { search: text, page, size } = fitting(search, values)
        const found = people.find(text)
        return { total: found.length, content: found.slice((page - 1) * size, page * size).map(shown), room: parts.room() }
      },
    },
    'GET people/:id': { run: ({ values }) => shown(known(people, values.id)) },
    'POST people': {
      run(request) {
        const asked = read(request, personForm, 'registrationAbnormal')
        if (parts.room() <= 0) throw new ConsoleRefusal('peopleLimitReached')
        return save(asked, null)
      },
    },
    'PUT people/:id': { run: (request) => save(read(request, personForm, 'registrationAbnormal'), known(people, request.values.id)) },
    'POST people/delete': {
      run(request) {
        const asked = read(request, ids).ids
        const removed = asked.filter((id) => removeOne(people, id)).length
        if (removed === 0) throw new ConsoleRefusal('deleteFailed')
        if (removed < asked.length) throw new ConsoleRefusal('deletePartlyFailed')
        return { removed }
      },
    },
    'POST pictures': {
      bodyLimit: FACE_FILE_MAX,
      async run({ body }) {
        const face = await reader.face(body)
        tidy()
        const id = randomUUID()
        waiting.set(id, { face, since: clock() })
        return { id }
      },
    },
    'GET pictures/:id': {
      run({ values: { id = '' } }) {
        const picture = waiting.get(id)?.face.picture ?? people.picture(id)
        if (!picture) throw new ConsoleRefusal('fileMissing')
        return new ConsoleFile(picture, 'image/jpeg')
      },
    },
  }
}

/** Whether one person more may be registered. @throws ConsoleRefusal peopleLimitReached, and as `refuseTaken` */
export function admit(parts: PeopleParts, entry: Pick<LocalEntry, 'workNumber' | 'card'>): void {
  refuseTaken(parts, entry, null)
  if (parts.room() <= 0) throw new ConsoleRefusal('peopleLimitReached')
}

/** @throws ConsoleRefusal cardNumberExists, or registrationAbnormal for a work number that is somebody else's here */
function refuseTaken(
  { people, cardHeld }: Pick<PeopleParts, 'people' | 'cardHeld'>,
  { workNumber, card }: Pick<LocalEntry, 'workNumber' | 'card'>,
  ownId: string | null,
): void {
  const holder = people.byWorkNumber(workNumber)
  if (holder && holder.id !== ownId) throw fieldRefusal('workNumber', 'workNumberTaken', { code: 'registrationAbnormal' })
  if (card === '') return
  const owner = people.byCard(card)
  if ((owner && owner.id !== ownId) || cardHeld(card))
    throw new ConsoleRefusal('cardNumberExists', { fields: [{ path: 'card', rule: 'cardTaken' }] })
}

function known(people: LocalPeople, id = ''): LocalPerson {
  const person = people.get(id)
  if (!person) throw new ConsoleRefusal('registrationAbnormal', { why: { key: 'personGone' } })
  return person
}

/** What cannot be written stays; the others go. */
function removeOne(people: LocalPeople, id: string): boolean {
  try {
    return people.remove(id)
  } catch {
    return false
  }
}

/** A password is never shown again, only whether there is one. */
const shown = ({ password, ...person }: LocalPerson) => ({ ...person, hasPassword: password !== '' })

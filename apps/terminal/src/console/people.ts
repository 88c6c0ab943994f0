/** People registration: list, one person, and pictures that wait for their person to be saved. */
import { randomUUID } from 'node:crypto'
import { FACE_FILE_MAX, FACES_PER_PERSON, PASSCODE_MAX, PASSCODE_MIN, PERSON_NAME_MAX, PERSON_NUMBER_MAX } from '@gatehouse/contract/limits'
import { ids, instant, pageQuery, rule } from '@gatehouse/contract'
import { z } from 'zod'
import { ConsoleFile, ConsoleRefusal } from './answers.ts'
import { fieldRefusal, fitting, read, type ConsoleCalls } from './call.ts'
import type { FaceReader } from './face-reader.ts'
import type { LocalPeople, LocalPerson } from './local-people.ts'
import type { LocalFace, LocalEntry } from './local-people-types.ts'

const PASSWORD = new RegExp(`^\\d{${PASSCODE_MIN},${PASSCODE_MAX}}$`)
/** Milliseconds a picture waits for its person to be saved. */
const PICTURE_WAITS = 15 * 60_000
const PICTURES_WAITING = 24

const personForm = z
  .object({
    name: z.string().trim().min(1).max(PERSON_NAME_MAX),
    workNumber: z.string().trim().min(1).max(PERSON_NUMBER_MAX),
    card: z.string().trim().max(32).default(''),
    /** Absent: unchanged; empty: none. */
    password: z
      .string()
      .refine((value) => value === '' || PASSWORD.test(value), rule('digits', { min: PASSCODE_MIN, max: PASSCODE_MAX }))
      .optional(),
    validFrom: instant.nullable().default(null),
    validTo: instant.nullable().default(null),
    /** Ids of the person's faces and of uploaded pictures. */
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
  /** Return the number of a card in the form in which it is compared; null for a text that is no card number. */
  cardNumber: (text: string) => string | null
  /** Whether a person sent by the server has this card. */
  isCardTaken: (card: string) => boolean
  /** How many more persons fit, those the server sent included. */
  room: () => number
  clock: () => number
}

export function peopleCalls(parts: PeopleParts): ConsoleCalls {
  const { people, reader, clock } = parts
  const waiting = new Map<string, { face: LocalFace; since: number }>()

  /**
   * Return the faces that a person is saved with. @throws ConsoleRefusal registrationAbnormal for a picture that is neither the person's
   * nor waiting
   */
  function facesOf(faceIds: readonly string[], person: LocalPerson | null): (string | LocalFace)[] {
    return faceIds.map((id) => {
      if (person?.faces.includes(id)) return id
      const handedIn = waiting.get(id)
      if (!handedIn) throw fieldRefusal('faces', 'pictureGone', { code: 'registrationAbnormal' })
      return handedIn.face
    })
  }

  function tidy(): void {
    for (const [id, { since }] of waiting) if (clock() - since > PICTURE_WAITS || waiting.size >= PICTURES_WAITING) waiting.delete(id)
  }

  function save(form: z.output<typeof personForm>, before: LocalPerson | null): { id: string } {
    const { faces, password = before?.password ?? '', ...rest } = form
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
    'GET people/:id': { run: ({ values }) => shown(existing(people, values.id)) },
    'POST people': {
      run(request) {
        const form = read(request, personForm, 'registrationAbnormal')
        if (parts.room() <= 0) throw new ConsoleRefusal('peopleLimitReached')
        return save(form, null)
      },
    },
    'PUT people/:id': { run: (request) => save(read(request, personForm, 'registrationAbnormal'), existing(people, request.values.id)) },
    'POST people/delete': {
      run(request) {
        const requested = read(request, ids).ids
        const removed = requested.filter((id) => removeOne(people, id)).length
        if (removed === 0) throw new ConsoleRefusal('deleteFailed')
        if (removed < requested.length) throw new ConsoleRefusal('deletePartlyFailed')
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

/** Refuse a person if there is no room. @throws ConsoleRefusal peopleLimitReached, and as `refuseTaken` */
export function admit(parts: PeopleParts, entry: Pick<LocalEntry, 'workNumber' | 'card'>): void {
  refuseTaken(parts, entry, null)
  if (parts.room() <= 0) throw new ConsoleRefusal('peopleLimitReached')
}

/**
 * Refuse a card or work number in use. @throws ConsoleRefusal cardNumberExists, or registrationAbnormal for another person's work number
 */
function refuseTaken(
  { people, isCardTaken }: Pick<PeopleParts, 'people' | 'isCardTaken'>,
  { workNumber, card }: Pick<LocalEntry, 'workNumber' | 'card'>,
  ownId: string | null,
): void {
  const holder = people.byWorkNumber(workNumber)
  if (holder && holder.id !== ownId) throw fieldRefusal('workNumber', 'workNumberTaken', { code: 'registrationAbnormal' })
  if (card === '') return
  const owner = people.byCard(card)
  if ((owner && owner.id !== ownId) || isCardTaken(card))
    throw new ConsoleRefusal('cardNumberExists', { fields: [{ path: 'card', rule: 'cardTaken' }] })
}

function existing(people: LocalPeople, id = ''): LocalPerson {
  const person = people.get(id)
  if (!person) throw new ConsoleRefusal('registrationAbnormal', { why: { key: 'personGone' } })
  return person
}

/** Remove a person. A person who cannot be removed stays, and the others are still removed. */
function removeOne(people: LocalPeople, id: string): boolean {
  try {
    return people.remove(id)
  } catch {
    return false
  }
}

/** A person without the password, which is never shown again; only whether there is one. */
const shown = ({ password, ...person }: LocalPerson) => ({ ...person, hasPassword: password !== '' })

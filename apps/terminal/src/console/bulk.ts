/** Bulk registration: many pictures named `workNumber_name.jpg`, one call each, so that each has its own outcome. */
import { randomUUID } from 'node:crypto'
import { FACE_FILE_MAX, PERSON_NAME_MAX, PERSON_NUMBER_MAX, PICTURES_PER_BATCH } from '@gatehouse/contract/limits'
import { z } from 'zod'
import { ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import { admit, type PeopleParts } from './people.ts'

const NAME = /^([^_]+)_(.+)\.jpe?g$/i
const JPEG = [0xff, 0xd8, 0xff]
const BATCHES = 4

/** Fewer than the server accepts in one batch. */
const start = z.object({
  count: z
    .number()
    .int()
    .min(1)
    .max(PICTURES_PER_BATCH - 1),
})

export function bulkCalls(parts: PeopleParts): ConsoleCalls {
  /** Number of pictures still expected, by batch. */
  const batches = new Map<string, number>()

  return {
    'POST bulk': {
      run(request) {
        const { count } = read(request, start)
        const batch = randomUUID()
        batches.set(batch, count)
        if (batches.size > BATCHES) batches.delete(batches.keys().next().value ?? '')
        return { batch }
      },
    },
    'POST bulk/:batch': {
      bodyLimit: FACE_FILE_MAX,
      async run({ body, values: { batch = '', name = '' } }) {
        const left = batches.get(batch) ?? 0
        if (left === 0) throw new ConsoleRefusal('parametersWrong', { why: { key: 'batchOver' } })
        batches.set(batch, left - 1)
        const entry = entryOf(name, body)
        admit(parts, entry)
        const face = await parts.reader.face(body)
        // Another person may have registered this one while the engine worked.
        admit(parts, entry)
        const { id } = parts.people.add(entry, [face])
        return { id, name: entry.name, workNumber: entry.workNumber }
      },
    },
    'POST bulk/:batch/end': { run: ({ values: { batch = '' } }) => void batches.delete(batch) },
  }
}

/** @throws ConsoleRefusal imageFormatUnsupported, imageNameWrong */
function entryOf(name: string, body: Uint8Array) {
  if (!/\.jpe?g$/i.test(name) || JPEG.some((byte, at) => body[at] !== byte)) throw new ConsoleRefusal('imageFormatUnsupported')
  const [, workNumber = '', person = ''] = NAME.exec(name)?.map((part) => part.trim()) ?? []
  if (workNumber === '' || person === '' || workNumber.length > PERSON_NUMBER_MAX || person.length > PERSON_NAME_MAX)
    throw new ConsoleRefusal('imageNameWrong')
  return { name: person, workNumber, card: '', password: '', validFrom: null, validTo: null }
}

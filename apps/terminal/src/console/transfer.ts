/** Export and import of the people registered here and of the records stored here, and deletion of them. */
import { readFileSync, rmSync, statSync } from 'node:fs'
import { instant } from '@gatehouse/contract'
import { recordObject } from '@gatehouse/contract/device/protocol-records'
import { FACES_PER_PERSON, PERSON_NAME_MAX, PERSON_NUMBER_MAX, SERVER_EXPORT_RECORDS } from '@gatehouse/contract/limits'
import { z } from 'zod'
import { ConsoleFile, ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import type { KeptRecords } from './kept-records.ts'
import type { LocalPerson } from './local-people.ts'
import type { LocalFace } from './local-people-types.ts'
import type { Verify } from './login.ts'
import { admit, type PeopleParts } from './people.ts'
import { openFile, sealFile } from './sealed-file.ts'
import type { Uploads } from './uploads.ts'
import { embeddingOf, encodeTemplate } from '../store/template.ts'

/** Version of the content of an export; another version cannot be read here. */
const EXPORT_VERSION = 1
const PASSWORD_LEAST = 8
/** Largest size in bytes of a file that is read into memory at once. */
const LARGEST = 256 * 1_048_576

const filePassword = z.string().min(PASSWORD_LEAST).max(64)
const wished = z.object({ what: z.enum(['people', 'records']), password: filePassword })
const handedIn = z.object({ upload: z.string().max(64), password: z.string().max(64) })
const clearing = z.object({ password: z.string().max(100) })

const person = z.object({
  name: z.string().min(1).max(PERSON_NAME_MAX),
  workNumber: z.string().min(1).max(PERSON_NUMBER_MAX),
  card: z.string().max(32),
  password: z.string().max(16),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  faces: z.array(z.object({ picture: z.base64(), template: z.base64().nullable() })).max(FACES_PER_PERSON),
})
const content = z.union([
  z.object({ kind: z.literal('people'), modelId: z.string(), people: z.array(person) }),
  z.object({
    kind: z.literal('records'),
    deviceId: z.string(),
    epochs: z.array(z.object({ epoch: z.string().min(1).max(64), records: z.array(recordObject) })),
  }),
])
type Content = z.output<typeof content>

export interface TransferParts extends PeopleParts {
  records: KeptRecords
  uploads: Uploads
  verify: Verify
  /** Null before the first pairing. */
  deviceId: () => string | null
  model: { modelId: string; dimensions: number }
  /** People with templates of another engine were imported. */
  onForeignTemplates: () => void
}

export function transferCalls(parts: TransferParts): ConsoleCalls {
  const { people, records, uploads, verify, deviceId, model } = parts
  let exporting = 0

  function gathered(what: 'people' | 'records'): Content {
    if (what === 'records') {
      if (records.count() > SERVER_EXPORT_RECORDS) throw new ConsoleRefusal('exportTooLarge')
      const epochs = records.all()
      const id = deviceId()
      if (id === null || epochs.length === 0) throw new ConsoleRefusal('nothingToExport')
      return { kind: 'records', deviceId: id, epochs }
    }
    const everybody = people.find('')
    if (everybody.length === 0) throw new ConsoleRefusal('nothingToExport')
    return { kind: 'people', modelId: model.modelId, people: everybody.map(portable) }
  }

  function portable({ name, workNumber, card, password, validFrom, validTo, faces }: LocalPerson) {
    const taken = faces.map((id) => {
      const embedding = people.embedding(id)
      return { picture: Buffer.from(people.picture(id) ?? []).toString('base64'), template: embedding && encodeTemplate(embedding) }
    })
    return { name, workNumber, card, password, validFrom, validTo, faces: taken }
  }

  function takePeople({ people: arrived, modelId }: Content & { kind: 'people' }) {
    const refused: { name: string; workNumber: string; code: number }[] = []
    let taken = 0
    for (const { faces, ...entry } of arrived) {
      try {
        admit(parts, entry)
        people.add(
          entry,
          faces.map((face) => faceOf(face, modelId)),
        )
        taken++
      } catch (error) {
        if (!(error instanceof ConsoleRefusal)) throw new ConsoleRefusal('fileNotSaved')
        refused.push({ name: entry.name, workNumber: entry.workNumber, code: error.code })
      }
    }
    if (modelId !== model.modelId) parts.onForeignTemplates()
    return { kind: 'people', taken, refused }
  }

  function faceOf({ picture, template }: { picture: string; template: string | null }, modelId: string): LocalFace {
    const own = modelId === model.modelId && template !== null
    return {
      picture: Buffer.from(picture, 'base64'),
      embedding: own ? embeddingOf(Buffer.from(template, 'base64'), model.dimensions) : null,
    }
  }

  function takeRecords({ deviceId: owner, epochs }: Content & { kind: 'records' }) {
    if (owner !== deviceId()) throw new ConsoleRefusal('databaseIncompatible', { why: { key: 'recordsOfAnother' } })
    const gap = epochs.some(({ records: list }) => list.some(({ seq }, at) => at > 0 && seq !== list[at - 1]!.seq + 1))
    if (gap) throw new ConsoleRefusal('parseFailed')
    const total = epochs.reduce((sum, { records: list }) => sum + list.length, 0)
    try {
      const taken = records.take(owner, epochs)
      return { kind: 'records', taken, here: total - taken }
    } catch {
      throw new ConsoleRefusal('fileNotSaved')
    }
  }

  return {
    'GET transfer': {
      run: () => ({ people: people.size(), records: records.count(), most: SERVER_EXPORT_RECORDS, exporting: exporting > 0 }),
    },
    'POST transfer/export': {
      async run(request) {
        const { what, password } = read(request, wished)
        const found = gathered(what)
        exporting++
        request.onSent(() => exporting--)
        return new ConsoleFile(await sealFile(found, EXPORT_VERSION, password), 'application/octet-stream', `gatehouse-${what}.ghx`)
      },
    },
    'POST transfer/import': {
      async run(request) {
        const { upload, password } = read(request, handedIn)
        const file = uploads.take(upload)
        try {
          if (statSync(file).size > LARGEST) throw new ConsoleRefusal('fileUnreadable')
          const arrived = content.safeParse(await openFile(readFileSync(file), EXPORT_VERSION, password))
          if (!arrived.success) throw new ConsoleRefusal('parseFailed')
          return arrived.data.kind === 'people' ? takePeople(arrived.data) : takeRecords(arrived.data)
        } finally {
          rmSync(file, { force: true })
        }
      },
    },
    'POST transfer/clear': {
      async run(request) {
        if (exporting > 0) throw new ConsoleRefusal('exportInProgress')
        await verify(request, read(request, clearing).password)
        const removed = people.size()
        try {
          people.clear()
        } catch {
          throw new ConsoleRefusal('clearFailed')
        }
        return { removed }
      },
    },
  }
}

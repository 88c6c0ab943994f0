/** Bodies of calls that change a record: fields that are left out are unchanged, and an answer that was read can be sent back. */
import { describe, expect, it } from 'vitest'
import { toJSONSchema } from 'zod'
import { isWrite, type Call } from './call.ts'
import { calls } from './calls.ts'

interface JsonSchema {
  properties?: Record<string, unknown>
  required?: string[]
}
const bodyOf = ({ body }: Call): JsonSchema =>
  body === undefined ? {} : (toJSONSchema(body as never, { io: 'input', unrepresentable: 'any' }) as JsonSchema)

const nameOf = ({ method, path }: Call): string => `${method} ${path}`
const fieldsOf = (call: Call): string[] => Object.keys(bodyOf(call).properties ?? {})

/** Calls that perform an action on a record instead of changing its fields. */
const ACTS: readonly string[] = [
  'POST /clients/enable',
  'POST /access/pendingChange/decide',
  'POST /ai-box/dispose',
  'POST /alert/device/event/dispose',
  'POST /device/alert/dispose',
  'PUT /alert/status',
  'POST /defence/alert/dispose',
  'PUT /alert/temperature/status',
  'PUT /alert/status',
]

/** A change contains the id of one record and at least one of its fields. */
const isChange = (call: Call): boolean =>
  fieldsOf(call).includes('id') && fieldsOf(call).some((field) => !['id', 'version'].includes(field))
/** Something that exists once, such as a setting of a park, has no id. */
const isSetting = (call: Call): boolean => !fieldsOf(call).includes('id') && fieldsOf(call).includes('version')

const ALL = calls
const WRITES = ALL.filter((call) => isWrite(call) && call.service !== 'device' && !ACTS.includes(nameOf(call)))
const CHANGES = WRITES.filter(isChange)
const SETTINGS = WRITES.filter(isSetting)

describe('a call that changes a record', () => {
  it('names the call that reads it', () => {
    expect([CHANGES.length, SETTINGS.length].map((count) => count > 15)).toEqual([true, true])
    expect(CHANGES.filter(({ record }) => record === undefined).map(nameOf)).toEqual([])
  })

  it.each(ALL.filter(({ record }) => record !== undefined).map((call): [string, Call] => [nameOf(call), call]))(
    '%s demands what names the record and nothing else',
    (_, call) => {
      expect((bodyOf(call).required ?? []).filter((field) => !['id', 'deviceId'].includes(field))).toEqual([])
    },
  )

  it('is told nothing by a default', () => {
    const defaults = [...CHANGES, ...SETTINGS].flatMap((call) =>
      Object.entries(bodyOf(call).properties ?? {})
        .filter(([, schema]) => typeof schema === 'object' && schema !== null && 'default' in schema)
        .map(([field]) => `${nameOf(call)} ${field}`),
    )
    expect(defaults).toEqual([])
  })
})

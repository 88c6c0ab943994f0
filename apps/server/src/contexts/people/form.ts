/** The person form of a park: fields of its own, and whether a photograph of the ID is asked for. */
import { z } from 'zod'
import { personForm, personFormCalls, type PersonForm } from '@gatehouse/contract/people/form'
import type { FieldIssue, OutputOf } from '@gatehouse/contract'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { keepCustomFields } from './data.ts'

const stored = z.object({ fields: z.array(personForm.shape.fields.element.omit({ order: true })), idPhotoRequired: z.boolean() })
const setting = defineSetting<z.output<typeof stored>>('people.form', stored, { fields: [], idPhotoRequired: false })

type FormChange = OutputOf<(typeof personFormCalls)['change']['body']>

/** Sorted by `order`; a field without one counts by its place. */
function inOrder<Field extends { order?: number | null | undefined }>(fields: readonly Field[]): Field[] {
  const placed = fields.map((field, at) => ({ field, place: field.order ?? at + 1 }))
  return placed.toSorted((one, other) => one.place - other.place).map(({ field }) => field)
}

export interface FormService {
  read(scope: Scope): PersonForm
  /** @throws Refusal 900004 two of one title; InvalidRequest for a field that is not there; Conflict */
  change(scope: Scope, change: FormChange): Promise<PersonForm>
  /**
   * Values by field as they come to be stored: those sent over those there are.
   *
   * @param demanding whether what the form requires must be there; fields it does not show are never asked for
   * @throws InvalidRequest at `customFields.<id of the field>`
   */
  valuesOf(
    scope: Scope,
    present: Readonly<Record<string, string>>,
    sent: readonly { id: string; value: string | null }[],
    demanding: boolean,
  ): Record<string, string>
}

export function createFormService(platform: Platform, settings: Settings): FormService {
  const read = (scope: Scope): PersonForm => {
    const { fields, idPhotoRequired, version } = settings.show(scope.parkId, setting)
    return { fields: fields.map((field, at) => ({ ...field, order: at + 1 })), idPhotoRequired, version }
  }

  function check(fields: NonNullable<FormChange['fields']>, fieldIds: ReadonlySet<string>): void {
    const issues: FieldIssue[] = []
    const ids = new Set<string>()
    for (const [at, { id }] of fields.entries()) {
      if (id == null) continue
      if (!fieldIds.has(id)) issues.push({ path: `fields.${at}.id`, rule: 'unknown' })
      else if (ids.has(id)) issues.push({ path: `fields.${at}.id`, rule: 'duplicate' })
      ids.add(id)
    }
    if (issues.length > 0) throw new InvalidRequest(issues)
    const titles = fields.map(({ title }) => title.toLowerCase())
    const twice = titles.flatMap((title, at) => (titles.indexOf(title) < at ? [at] : []))
    if (twice.length > 0) throw new Refusal(900004, { fields: twice.map((at) => ({ path: `fields.${at}.title`, rule: 'code.900004' })) })
  }

  return {
    read,
    async change(scope, { fields = read(scope).fields, idPhotoRequired = read(scope).idPhotoRequired, version }) {
      // Before the fields are looked at: those that are gone meanwhile are what the conflict is about.
      if (version !== undefined && version !== read(scope).version) throw new Conflict(['fields'])
      check(fields, new Set(read(scope).fields.map(({ id }) => id)))
      const next = inOrder(fields).map(({ id, title, required, visible }) => ({ id: id ?? newId(), title, required, visible }))
      await settings.write(scope.parkId, setting, { fields: next, idPhotoRequired }, version)
      // Whatever is in no field any more goes: what a crash between the two left behind goes with the next change.
      await platform.transaction((tx) =>
        keepCustomFields(
          scope,
          tx,
          next.map(({ id }) => id),
        ),
      )
      return read(scope)
    },
    valuesOf(scope, present, sent, demanding) {
      const { fields } = read(scope)
      const fieldIds = new Set(fields.map(({ id }) => id))
      const issues: FieldIssue[] = sent.flatMap(({ id }) => (fieldIds.has(id) ? [] : [{ path: `customFields.${id}`, rule: 'unknown' }]))
      const values = { ...present, ...Object.fromEntries(sent.map(({ id, value }) => [id, value])) }
      const kept = Object.fromEntries(fields.flatMap(({ id }) => ((values[id] ?? '') === '' ? [] : [[id, values[id]!] as const])))
      if (demanding)
        issues.push(
          ...fields.flatMap(({ id, required, visible }) =>
            required && visible && kept[id] === undefined ? [{ path: `customFields.${id}`, rule: 'required' }] : [],
          ),
        )
      if (issues.length > 0) throw new InvalidRequest(issues)
      return kept
    },
  }
}

export const formHandlers = (form: FormService): MountedCall[] => [
  handler(personFormCalls.read, async ({ scope }) => form.read(scope)),
  handler(personFormCalls.change, ({ scope, body }) => form.change(scope, body)),
]

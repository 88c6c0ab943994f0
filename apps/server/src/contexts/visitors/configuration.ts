/** Configuration of visits, and the own fields of the visitor form; in memory on every node. */
import { z } from 'zod'
import { visitReason } from '@gatehouse/contract/enums/visitors'
import type { OutputOf } from '@gatehouse/contract'
import {
  visitorConfigurationFields,
  type visitorConfigurationCalls,
  type VisitorConfiguration,
  type VisitorForm,
} from '@gatehouse/contract/visitors/configuration'
import type { VisitCircumstances } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { CONFIGURATION_SETTING } from './events.ts'
import { keepCustomFields } from './visits-data.ts'

type Fields = z.output<typeof visitorConfigurationFields>
type ConfigurationChange = OutputOf<(typeof visitorConfigurationCalls)['change']['body']>
/** Fields that name devices. */
type DeviceField = 'autoSignOffAtDevices' | 'visitorMachines'
type FormChange = OutputOf<(typeof visitorConfigurationCalls)['changeForm']['body']>

const setting = defineSetting<Fields>(CONFIGURATION_SETTING, visitorConfigurationFields, {
  needAuthorisation: true,
  defaultValidDays: 1,
  forcedCardIssue: false,
  openSignOff: true,
  autoSignOffAtDevices: [],
  visitorMachines: [],
  visitorMachinesPrint: false,
  expiredAutoSignOffTime: 'nextDay',
  cardFormat: 'decimal',
  intervieweeRequired: false,
  certificateRequired: false,
  approvalSwitch: true,
  hostConfirms: false,
  companyName: '',
  address: '',
  coordinates: null,
  qrOneUse: false,
  signInLeadMinutes: 30,
  visitReasons: [...visitReason.values],
})

const storedForm = z.object({
  fields: z.array(
    z.object({
      id: z.uuid(),
      displayName: z.string(),
      fieldName: z.string(),
      inputType: z.number().int(),
      values: z.string(),
      showInVisitorList: z.boolean(),
      required: z.boolean(),
    }),
  ),
})
const formSetting = defineSetting<z.output<typeof storedForm>>('visitors.form', storedForm, { fields: [] })

export interface Configuration {
  of(scope: Scope): VisitorConfiguration
  /** Return it as it is stored now: word of a change on another server may not have come yet. */
  stored(scope: Scope): Promise<VisitorConfiguration>
  /** What of the configuration transitions depend on. */
  conditions(scope: Scope): VisitCircumstances
  /** @throws Conflict; InvalidRequest for a device that is not there */
  change(scope: Scope, change: ConfigurationChange): Promise<VisitorConfiguration>
  form(scope: Scope): VisitorForm
  /** @throws Conflict; Refusal 900004 for two of one field name; InvalidRequest for a field that is not there */
  changeForm(scope: Scope, change: FormChange): Promise<VisitorForm>
}

/** Return the places of fields that repeat the field name of an earlier one. */
function repeatedNames(fields: readonly { fieldName: string }[]): number[] {
  const names = fields.map(({ fieldName }) => fieldName.toLowerCase())
  return names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []))
}

function checkForm(fields: NonNullable<FormChange['fields']>, existing: ReadonlySet<string>): void {
  const ids = fields.map(({ id }) => id ?? null)
  const issues = ids.flatMap((id, at) => {
    if (id === null) return []
    if (!existing.has(id)) return [{ path: `fields.${at}.id`, rule: 'unknown' }]
    return ids.indexOf(id) < at ? [{ path: `fields.${at}.id`, rule: 'duplicate' }] : []
  })
  if (issues.length > 0) throw new InvalidRequest(issues)
  const twice = repeatedNames(fields)
  if (twice.length > 0) throw new Refusal(900004, { fields: twice.map((at) => ({ path: `fields.${at}.fieldName`, rule: 'code.900004' })) })
}

export function createConfiguration(platform: Platform, settings: Settings, devices: Pick<DevicesService, 'names'>): Configuration {
  function of({ parkId }: Scope): VisitorConfiguration {
    const { secretsSet: _, ...shown } = settings.show(parkId, setting)
    return shown
  }

  function form({ parkId }: Scope): VisitorForm {
    const { fields, version } = settings.show(parkId, formSetting)
    return {
      fields: fields.map((field, at) => ({
        ...field,
        inputType: field.inputType as VisitorForm['fields'][number]['inputType'],
        order: at + 1,
      })),
      version,
    }
  }

  /** Return devices of a change, each once. @throws InvalidRequest for one that is not there and was not named before */
  async function checkedDevices(scope: Scope, change: ConfigurationChange, field: DeviceField): Promise<Partial<Fields>> {
    const sent = change[field]
    if (sent === undefined) return {}
    const ids = [...new Set(sent)]
    const kept = new Set(of(scope)[field])
    const added = ids.filter((id) => !kept.has(id))
    if ((await devices.names(scope, added)).length < added.length) throw new InvalidRequest([{ path: field, rule: 'unknown' }])
    return { [field]: ids }
  }

  return {
    of,
    async stored(scope) {
      await settings.refresh(scope.parkId, setting)
      return of(scope)
    },
    conditions(scope) {
      const { approvalSwitch, hostConfirms, certificateRequired, openSignOff, expiredAutoSignOffTime } = of(scope)
      return { approvalSwitch, hostConfirms, certificateRequired, openSignOff, autoSignOff: expiredAutoSignOffTime !== '' }
    },
    async change(scope, { version, ...fields }) {
      const named = [await checkedDevices(scope, fields, 'autoSignOffAtDevices'), await checkedDevices(scope, fields, 'visitorMachines')]
      await settings.write(scope.parkId, setting, Object.assign({ ...fields }, ...named) as ConfigurationChange, version)
      return of(scope)
    },
    form,
    async changeForm(scope, { fields, version }) {
      if (version !== undefined && version !== form(scope).version) throw new Conflict(['fields'])
      if (fields === undefined) return form(scope)
      checkForm(fields, new Set(form(scope).fields.map(({ id }) => id)))
      const inOrder = fields
        .map((field, at) => ({ field, place: field.order ?? at + 1 }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ field: { id, order: _, ...field } }) => ({ ...field, id: id ?? newId() }))
      await settings.write(scope.parkId, formSetting, { fields: inOrder }, version)
      await platform.transaction((tx) =>
        keepCustomFields(
          scope,
          tx,
          inOrder.map(({ id }) => id),
        ),
      )
      return form(scope)
    },
  }
}

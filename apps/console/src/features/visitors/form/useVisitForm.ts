/** What every form of a visit adds to its call: the rules of the park, and the conversion of the body. */
import { useState } from 'react'
import type { FieldIssue } from '@gatehouse/contract'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { visitorConfigurationCalls, type VisitorConfiguration, type VisitorField } from '@gatehouse/contract/visitors/configuration'
import { useRead } from '../../../api/query.ts'
import { loadedFrom, type Loaded } from '../../../kit/form/loaded.ts'
import { useZoneOffset } from '../../../kit/time.ts'
import { newVisit, type VisitKind, type VisitValues } from './visitValues.ts'

interface VisitFormRules {
  also: (values: VisitValues) => FieldIssue[]
  prepare: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  placed: (path: string, values: VisitValues) => string
  unkept: readonly string[]
}

const missing = (path: string): FieldIssue => ({ path, rule: 'required' })

interface Demands {
  configuration: VisitorConfiguration | undefined
  /** Custom fields of the park. */
  fields: readonly VisitorField[]
  /** Whether a photo of a visitor needs their consent. */
  isConsentRequired: boolean
}

/** @param isNew a visit that is changed keeps the consent and the host it has */
function issuesOf(values: VisitValues, { configuration, fields, isConsentRequired }: Demands, isNew: boolean): FieldIssue[] {
  const { accessGroupIds, passMethods, customFields = [], certificateInfo, cardNumber, faceConsent, facePhoto } = values
  const isAtDesk = values.source === visitorSource.temporary
  const hasPhoto = Boolean(facePhoto) || (values.peers ?? []).some((peer) => Boolean(peer.facePhoto))
  const required = new Set(fields.filter((field) => field.required).map(({ id }) => id))
  const demands: [boolean | undefined, string][] = [
    [isNew && configuration?.intervieweeRequired && !values.intervieweeId, 'intervieweeId'],
    [configuration?.needAuthorisation && !accessGroupIds?.length, 'accessGroupIds'],
    [configuration?.needAuthorisation && !passMethods?.length, 'passMethods'],
    [configuration?.certificateRequired && isAtDesk && !certificateInfo, 'certificateInfo'],
    [configuration?.forcedCardIssue && isAtDesk && !cardNumber?.trim(), 'cardNumber'],
  ]
  return [
    ...demands.filter(([isMissing]) => isMissing === true).map(([, path]) => missing(path)),
    ...(isNew && isConsentRequired && hasPhoto && faceConsent !== true ? [{ path: 'faceConsent', rule: 'consent' }] : []),
    ...(customFields ?? []).flatMap(({ id, value }, at) =>
      required.has(id) && !value?.trim() ? [missing(`customFields.${at}.value`)] : [],
    ),
  ]
}

/** @param isNew whether the visit is being made */
export function useVisitForm(isNew: boolean): VisitFormRules {
  const configuration = useRead(visitorConfigurationCalls.read, {}).data
  const form = useRead(visitorConfigurationCalls.readForm, {})
  const policy = useRead(privacyCalls.policy, {})
  return {
    also: (values) =>
      issuesOf(values, { configuration, fields: form.data?.fields ?? [], isConsentRequired: policy.data?.consentRequired === true }, isNew),
    prepare: ({ hostName: _, faceConsent, ...body }) =>
      Promise.resolve({
        ...body,
        // A box that is not ticked sends nothing: an earlier consent is not withdrawn by that.
        ...(faceConsent === true && { faceConsent }),
        ...(body['cardNumber'] && configuration ? { cardNumberFormat: configuration.cardFormat } : {}),
      }),
    // The server names a custom field by its id, the form by its place.
    placed: (path, { customFields }) => {
      const at = customFields?.findIndex(({ id }) => path.startsWith(`customFields.${id}`)) ?? -1
      return at < 0 ? path : `customFields.${at}.value`
    },
    // They contain numbers of identity documents, which a browser does not store.
    unkept: ['certificateInfo', 'peers'],
  }
}

/** Return the initial values of a new visit: now, in the first group of visitors. */
export function useNewVisit(kind: VisitKind): Loaded<VisitValues> {
  const configuration = useRead(visitorConfigurationCalls.read, {})
  const groups = useRead(peopleCalls.groupTree, { query: { type: 3 } })
  const { offset } = useZoneOffset()
  const [now] = useState(() => Date.now())
  const loaded = loadedFrom(configuration, (found) => found)
  if (loaded.status !== 'ready') return loaded
  return loadedFrom(groups, (tree) => newVisit(kind, { configuration: loaded.values, groups: tree, now, offset }))
}

/** What every person form adds to its call: the rules of the park, the answers about look-alikes, and the conversion of the body. */
import { useRef } from 'react'
import type { FieldIssue } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { personFormCalls, type PersonForm } from '@gatehouse/contract/people/form'
import { decided, twinsOf } from '../../shared/cachedFaces.ts'
import { useRead } from '../../api/query.ts'
import { storage } from '../../api/storage.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { loadedFrom, type Loaded } from '../../kit/form/loaded.ts'
import { isChosen, usePermit, type PermitResult, type PermitValue } from '../approvals/index.ts'
import { useIsPhotoRequired, type PersonValues, newPerson } from './personValues.ts'
import { personKinds, type RegisterKind } from './personKinds.ts'

interface PersonFormRules {
  also: (values: PersonValues) => FieldIssue[]
  prepare: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  placed: (path: string, values: PersonValues) => string
  /**
   * Do what the form adds after the person has been saved; for `onDone`. Return the outcome of the permission; undefined where
   * none was chosen.
   */
  saved: (personId: string) => Promise<PermitResult | undefined>
}

const missing = (path: string): FieldIssue => ({ path, rule: 'required' })

/** @param form null where no field is required: a person may be put on the watch list with incomplete data */
function issuesOf(
  { facePhotos, likenesses, customFields, idPhoto }: PersonValues,
  form: PersonForm | null | undefined,
  faceWanted: boolean,
): FieldIssue[] {
  const required = new Set(form?.fields.filter((field) => field.required && field.visible).map(({ id }) => id))
  return [
    ...(faceWanted && !facePhotos?.length ? [missing('facePhotos')] : []),
    ...(decided(facePhotos ?? [], likenesses) ? [] : [{ path: 'likenesses', rule: 'undecided' }]),
    ...(form?.idPhotoRequired && !idPhoto ? [missing('idPhoto')] : []),
    ...(customFields ?? []).flatMap(({ id, value }, at) =>
      required.has(id) && !value?.trim() ? [missing(`customFields.${at}.value`)] : [],
    ),
  ]
}

export function usePersonForm(kind: PersonKind): PersonFormRules {
  const faceWanted = useIsPhotoRequired(kind)
  const form = useRead(personFormCalls.read, {})
  const pair = useWrite(faceCalls.addPair)
  const { permit } = usePermit()
  const twins = useRef<string[]>([])
  const chosen = useRef<PermitValue>(undefined)
  return {
    also: (values) => issuesOf(values, kind === 'special' ? null : form.data, faceWanted),
    prepare: ({ likenesses, faceConsent, permit: permitted, ...body }) => {
      const { facePhotos, groupId } = body as PersonValues
      chosen.current = permitted as PersonValues['permit']
      if (groupId && kind !== 'special') storage.set('lastGroup', { ...storage.get('lastGroup'), [kind]: groupId })
      twins.current = twinsOf(facePhotos ?? [], likenesses as PersonValues['likenesses'])
      // A box that is not ticked sends nothing: an earlier consent is not withdrawn by that.
      return Promise.resolve({ ...body, ...(faceConsent === true && { faceConsent }) })
    },
    // The server names a custom field by its id, the form by its place.
    placed: (path, { customFields }) => {
      const at = customFields?.findIndex(({ id }) => path === `customFields.${id}`) ?? -1
      return at < 0 ? path : `customFields.${at}.value`
    },
    saved: async (personId) => {
      for (const otherId of twins.current) pair.run({ body: { personId, otherId } })
      return isChosen(chosen.current) ? permit([personId], chosen.current) : undefined
    },
  }
}

/**
 * Return the initial values of a new person: in the given group, the only one there is, or that of the last person.
 * @param groupId undefined: no particular group
 */
export function useNewPerson(kind: RegisterKind, groupId?: string): Loaded<PersonValues> {
  const groups = useRead(peopleCalls.groupTree, { query: { type: personKinds[kind].groupType } })
  return loadedFrom(groups, (tree) => {
    const ids = idsOf(tree)
    const last = storage.get('lastGroup')?.[kind]
    return newPerson(groupId ?? (ids.length === 1 ? ids[0] : ids.find((id) => id === last)))
  })
}

const idsOf = (nodes: readonly PersonGroupNode[]): string[] => nodes.flatMap(({ id, children }) => [id, ...idsOf(children)])

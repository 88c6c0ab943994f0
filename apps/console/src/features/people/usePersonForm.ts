/** What every person form has beyond its call: the park's own rules, the answer about look-alikes, and what is not sent as it was typed. */
import { useRef } from 'react'
import type { FieldIssue } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { type PersonKind, peopleCalls, type PersonGroupNode } from '@gatehouse/contract/people/calls'
import { personFormCalls, type PersonForm } from '@gatehouse/contract/people/form'
import { decided, twinsOf } from '../../shared/cachedFaces.ts'
import { useRead } from '../../api/query.ts'
import { storage } from '../../api/storage.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { loadedFrom, type Loaded } from '../../kit/form/loaded.ts'
import { isChosen, usePermit, type PermitResult, type PermitValue } from '../approvals/index.ts'
import { useFaceWanted, type PersonValues, newPerson } from './personValues.ts'
import { personKinds, type RegisterKind } from './personKinds.ts'

interface PersonFormRules {
  also: (values: PersonValues) => FieldIssue[]
  prepare: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  placed: (path: string, values: PersonValues) => string
  /**
   * Does for the person who has just been saved what the form has beyond its call: for `onDone`. Answers what became of the permission
   * that was chosen; undefined where none was.
   */
  saved: (personId: string) => Promise<PermitResult | undefined>
}

const missing = (path: string): FieldIssue => ({ path, rule: 'required' })

/** @param form null where nothing of it is demanded: whom to look out for is taken as he is known */
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
  const faceWanted = useFaceWanted(kind)
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
      // Not ticked says nothing: whoever agreed before has not withdrawn by that.
      return Promise.resolve({ ...body, ...(faceConsent === true && { faceConsent }) })
    },
    // The server names a field of the park by its id, the form by its place.
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
 * What the form of a new person starts from: in the group that is meant, the only one there is, or that of the last person.
 * @param groupId the group that is meant; undefined: none in particular
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

/** The register as others change it: a change that could let somebody pass somewhere is put before what the park has written down. */
import type { GroupService } from './groups.ts'
import type { AdmittedPerson, PeopleNeeds } from './needs.ts'
import type { PersonFacts, PeopleService } from './service.ts'

/** Stands for the id of somebody who is not registered yet. */
const UNMADE = 'new'

const admittedAs = ({ id, groupId, kind, enabled, validTo }: PersonFacts, after: Partial<AdmittedPerson>): AdmittedPerson => ({
  id,
  groupId,
  kind,
  enabled,
  validTo,
  ...after,
})
const isSame = (before: PersonFacts, after: AdmittedPerson): boolean =>
  before.groupId === after.groupId && before.kind === after.kind && before.enabled === after.enabled && before.validTo === after.validTo

export function admittedPeople(service: PeopleService, { admitting }: Pick<PeopleNeeds, 'admitting'>): PeopleService {
  /** These persons with something of them changed; nobody where nothing is. */
  async function changed(
    scope: Parameters<PeopleService['facts']>[0],
    ids: readonly string[],
    after: Partial<AdmittedPerson>,
  ): Promise<AdmittedPerson[]> {
    const facts = await service.facts(scope, ids)
    return facts.flatMap((before) => (isSame(before, admittedAs(before, after)) ? [] : [admittedAs(before, after)]))
  }
  return {
    ...service,
    create: (scope, fields, form, alongside) =>
      admitting(
        scope,
        async () => [{ id: UNMADE, groupId: fields.groupId, kind: fields.kind, enabled: true, validTo: fields.validTo ?? null }],
        'groupId',
        () => service.create(scope, fields, form, alongside),
      ),
    change: (scope, id, version, { groupId, kind, validTo, ...others }, form, alongside) => {
      const admitted = {
        ...(groupId !== undefined && { groupId }),
        ...(kind !== undefined && { kind }),
        ...(validTo !== undefined && { validTo }),
      }
      return admitting(
        scope,
        () => changed(scope, [id], admitted),
        'groupId',
        () => service.change(scope, id, version, { ...others, ...admitted }, form, alongside),
      )
    },
    setEnabled: (scope, ids, enabled, reason) =>
      enabled
        ? admitting(
            scope,
            () => changed(scope, ids, { enabled }),
            '',
            () => service.setEnabled(scope, ids, enabled, reason),
          )
        : service.setEnabled(scope, ids, enabled, reason),
    move: (scope, ids, groupId) =>
      admitting(
        scope,
        () => changed(scope, ids, { groupId }),
        'groupId',
        () => service.move(scope, ids, groupId),
      ),
    copy: (scope, wishes, to, by) =>
      admitting(
        to,
        async () => {
          const facts = await service.facts(scope, wishes.ids)
          return facts.map((person) =>
            admittedAs(person, {
              id: `${UNMADE} ${person.id}`,
              groupId: wishes.groupId,
              ...(wishes.kind != null && { kind: wishes.kind }),
            }),
          )
        },
        'groupId',
        () => service.copy(scope, wishes, to, by),
      ),
  }
}

export function admittedGroups(groups: GroupService, { admittingGroup }: Pick<PeopleNeeds, 'admittingGroup'>): GroupService {
  return {
    ...groups,
    change(scope, id, fields, types) {
      const { parentId } = fields
      const save = (): Promise<void> => groups.change(scope, id, fields, types)
      return parentId === undefined ? save() : admittingGroup(scope, id, parentId, save)
    },
  }
}

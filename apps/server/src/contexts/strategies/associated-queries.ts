/** Associated rules as they are answered, and what there is to choose from. */
import type { z } from 'zod'
import { pageOf } from '@gatehouse/contract'
import type { associatedRuleRow } from '@gatehouse/contract/strategies/associated-rules'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import * as data from './associated-rules-data.ts'
import type { AssociatedRules } from './associated-rules-types.ts'
import { existingRule } from './associated-stored.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { byName, parkNamer, type SharedPersons } from './shared-persons.ts'
import { findRulesOf, findStrategies } from './strategies-data.ts'
import { distinct } from './strategy-changes.ts'
import { membersOf } from './strategy-reach.ts'

type Row = z.output<typeof associatedRuleRow>

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export function createAssociatedQueries(
  platform: Platform,
  { people, devices, organisation, sharing }: Pick<StrategyDependencies, 'people' | 'devices' | 'organisation' | 'sharing'>,
  shared: SharedPersons,
): Pick<AssociatedRules, 'list' | 'read'> {
  const db = platform.db
  const parkName = parkNamer(organisation)

  async function present(scope: Scope, abouts: readonly data.AboutRow[]) {
    const ids = idsOf(abouts)
    const [rows, members, rules, links] = await Promise.all([
      findStrategies(scope, db, ids),
      membersOf(scope, db, ids),
      findRulesOf(scope, db, ids),
      sharing.links(scope),
    ])
    const [deviceNames, deviceGroups] = await Promise.all([
      devices.names(scope, distinct([...members.values()].flatMap(({ deviceIds }) => deviceIds))),
      devices.groupNames(scope, distinct([...members.values()].flatMap(({ deviceGroupIds }) => deviceGroupIds))),
    ])
    const agreed = new Set(links.map(({ relationId }) => relationId))
    const content = abouts.map(async ({ id, relationId, linkedPark, everybody, everybodyConfirmed, kind }) => {
      const { name, methods, validFrom, validTo, version, updatedAt } = rows.find((one) => one.id === id)!
      const own = members.get(id)!
      const timeRules = rules.filter(({ strategyId }) => strategyId === id).map((rule) => ({ id: rule.id, name: rule.name }))
      const among = (named: readonly { id: string; name: string }[], memberIds: readonly string[]) =>
        named.filter((one) => memberIds.includes(one.id)).toSorted(byName)
      const passing = kind === 'visitor' ? [] : await sharing.guestsOf(scope, relationId, everybody ? null : own)
      const row: Row = {
        id,
        name,
        kind,
        parkId: linkedPark,
        parkName: parkName(linkedPark),
        linked: agreed.has(relationId),
        everybody,
        everybodyConfirmed,
        devices: among(deviceNames, own.deviceIds),
        deviceGroups: among(deviceGroups, own.deviceGroupIds),
        timeRules,
        deviceIds: own.deviceIds,
        deviceGroupIds: own.deviceGroupIds,
        timeRuleIds: idsOf(timeRules),
        methods,
        validFrom,
        validTo,
        personCount: passing.length,
        deviceCount: new Set([
          ...own.deviceIds,
          ...(own.deviceGroupIds.length === 0 ? [] : await devices.idsInGroups(scope, own.deviceGroupIds)),
        ]).size,
        version,
        updatedAt,
      }
      return { row, own }
    })
    return Promise.all(content)
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      if (query.parkId !== undefined && !isUuid(query.parkId)) return { total: 0, content: [], page, size }
      const { content, total } = await data.listAssociatedRules(scope, db, query, { page, size })
      return { total, content: (await present(scope, content)).map(({ row }) => row), page, size }
    },
    async read(scope, id) {
      const { about } = await existingRule(scope, db, id)
      const [{ row, own } = undefined as never] = await present(scope, [about])
      const home = inPark(scope, about.linkedPark)
      // Only persons whom the link still shares: this park sees no names of others.
      const chosen = about.everybody
        ? []
        : await people.facts(
            home,
            own.personIds.length === 0
              ? []
              : await sharing.guestsOf(scope, about.relationId, { personIds: own.personIds, personGroupIds: [] }),
          )
      const sharedGroups =
        about.everybody || !row.linked
          ? []
          : await shared.groupsOf(home, await shared.sharedBy(scope, { relationId: about.relationId, parkId: about.linkedPark }))
      const personGroups = sharedGroups
        .filter((group) => own.personGroupIds.includes(group.id))
        .map((group) => ({ id: group.id, name: group.name }))
      return {
        ...row,
        persons: chosen
          .map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' }))
          .toSorted(personOrder(scope)),
        personGroups,
        personIds: idsOf(chosen),
        personGroupIds: idsOf(personGroups),
      }
    },
  }
}

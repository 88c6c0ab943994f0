/** Handlers of what a park sets for itself. */
import { parkSettingCalls as calls } from '@gatehouse/contract/organisation/settings'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateOrganisationUnscoped, type Organisation } from './data.ts'
import {
  accessControlSetting,
  carParkIssues,
  carParkLoginUrl,
  carParkMissing,
  carParkSetting,
  changedCarPark,
  childrenCapSetting,
  customerGroupSetting,
  pictureRetentionSetting,
  reentrySetting,
} from './park-settings.ts'
import type { OrganisationService } from './service.ts'
import type { Setting, Settings } from './settings.ts'

export interface SettingNeeds {
  /** Return those of these person groups that belong to the park. */
  personGroups(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Make this node read the permissions of sessions again at once. */
  forgetSessions(): void
}

const flagsOf = (node: Organisation) => ({
  staffFaceRegisterFlag: node.staffFaceRegister ? (1 as const) : (0 as const),
  customerFaceRegisterFlag: node.customerFaceRegister ? (1 as const) : (0 as const),
  showCustomerManagerFlag: node.showCustomerManager ? (1 as const) : (0 as const),
})

export function settingHandlers(platform: Platform, service: OrganisationService, settings: Settings, needs: SettingNeeds): MountedCall[] {
  const shown = <T extends object>(ownerId: string, setting: Setting<T>): T & { version: number } => {
    const { secretsSet: _none, ...values } = settings.show(ownerId, setting)
    return values as T & { version: number }
  }
  const save = <T extends object>(
    ownerId: string,
    setting: Setting<T>,
    { version, ...value }: { [Field in keyof T]?: T[Field] | undefined } & { version?: number | undefined },
  ): Promise<void> => settings.write(ownerId, setting, value as { [Field in keyof T]?: T[Field] | undefined }, version)

  return [
    handler(calls.updateConfig, async ({ scope }) => {
      const node = service.get(scope.parkId)!
      return { ...flagsOf(node), version: node.version }
    }),
    handler(calls.saveUpdateConfig, async ({ scope: { parkId: id }, body: { version, ...sentFlags } }) => {
      await service.changeTree(async (tx, tree) => {
        const node = tree.get(id)!
        const before = flagsOf(node)
        const flags = leftAsItWas(before, sentFlags)
        const change = {
          staffFaceRegister: flags.staffFaceRegisterFlag === 1,
          customerFaceRegister: flags.customerFaceRegisterFlag === 1,
          showCustomerManager: flags.showCustomerManagerFlag === 1,
        }
        if (!(await updateOrganisationUnscoped(tx, id, change, platform.clock.now(), version))) throw new Conflict(Object.keys(sentFlags))
        platform.audit.note({ entity: 'organisation', id, label: node.name, before, after: flags })
        return { id, result: undefined }
      })
      needs.forgetSessions()
    }),
    handler(calls.accessControl, async ({ scope }) => shown(scope.parkId, accessControlSetting)),
    handler(calls.saveAccessControl, ({ scope, body }) => save(scope.parkId, accessControlSetting, body)),
    handler(calls.reentry, async ({ scope }) => shown(scope.parkId, reentrySetting)),
    handler(calls.saveReentry, ({ scope, body }) => save(scope.parkId, reentrySetting, body)),
    handler(calls.pictureRetention, async ({ scope }) => shown(scope.parkId, pictureRetentionSetting)),
    handler(calls.savePictureRetention, ({ scope, body }) => save(scope.parkId, pictureRetentionSetting, body)),
    handler(calls.autoRegisterGroup, async ({ scope }) => {
      const { groupId } = settings.read(scope.parkId, customerGroupSetting)
      const [group] = groupId === null ? [] : await needs.personGroups(scope, [groupId])
      return { groupId: group?.id ?? null, groupName: group?.name ?? '' }
    }),
    handler(calls.setAutoRegisterGroup, async ({ scope, query: { groupId } }) => {
      if (groupId !== undefined && (await needs.personGroups(scope, [groupId])).length === 0)
        throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
      await settings.write(scope.parkId, customerGroupSetting, { groupId: groupId ?? null })
    }),
    handler(calls.carPark, async ({ scope }) => settings.show(scope.parkId, carParkSetting)),
    handler(calls.saveCarPark, ({ scope, body: { version, ...change } }) => {
      const before = settings.read(scope.parkId, carParkSetting)
      const changed = changedCarPark(before, change)
      const issues = carParkIssues(before, changed)
      if (issues.length > 0) throw new InvalidRequest(issues)
      return settings.write(scope.parkId, carParkSetting, changed.after, version, changed.removed)
    }),
    handler(calls.carParkLogin, async ({ scope }) => {
      const config = settings.read(scope.parkId, carParkSetting)
      const url = carParkLoginUrl(config, platform.clock.now())
      if (url === null) throw new Refusal(510001, { fields: carParkMissing(config).map((path) => ({ path, rule: 'required' })) })
      return { url }
    }),
    handler(calls.childrenCap, async () => shown(INSTALLATION_ID, childrenCapSetting)),
    handler(calls.saveChildrenCap, ({ body }) => save(INSTALLATION_ID, childrenCapSetting, body)),
  ]
}

/** The fields of a role: its name and place, its permissions, and what its holder sees. */
import { Form, Input, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import { codesOfModules, languageOf, PAGE_SIZE_MAX } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { useSession } from '../../../api/session.ts'
import { toast } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { entriesOf, openedBy, useGrantable } from '../permissions/permissionWords.ts'
import { useRoleWords } from './roleWords.ts'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import { isBuiltCode, isOpener, withUnoffered } from '../permissions/granting.ts'
import { DoorsFields } from './DoorsFields.tsx'
import { signsBelow, type RoleValues } from './roleValues.ts'
import styles from '../identity.module.css'

export function RoleFields({ roleId }: { roleId?: string | undefined }) {
  const { t } = useTranslation('identity')
  const optionsOf = useEnumOptions()
  const groups = useGrantable()
  const form = Form.useFormInstance<RoleValues>()
  const role = (Form.useWatch([], form) ?? {}) as RoleValues
  const offered = (groups ?? []).flatMap(({ permissions }) => permissions)
  const ownSign = useSession(({ profile }) => profile?.roleSign)
  const signs = signsBelow(ownSign)
  return (
    <div className={styles.role}>
      <div>
        <div className={styles.roleFields}>
          <Form.Item name="name" label={t('role.name')} required>
            <Input maxLength={64} autoComplete="off" />
          </Form.Item>
          <Form.Item name="organisationId" label={t('role.where')} extra={t('role.whereHint')}>
            <OrganisationField />
          </Form.Item>
          <Form.Item name="roleSign" label={t('role.sign')} extra={role.roleSign && t(`role.signHint.${role.roleSign}`)}>
            <Select
              options={optionsOf(roleSign)
                .filter(({ value }) => signs.some((sign) => sign === value))
                .toSorted((a, b) => signs.findIndex((sign) => sign === a.value) - signs.findIndex((sign) => sign === b.value))}
            />
          </Form.Item>
          <Form.Item name="remark" label={t('remark')}>
            <Input maxLength={100} autoComplete="off" />
          </Form.Item>
          <Form.Item name="roleLabel" label={t('role.label')}>
            <Segmented aria-label={t('role.label')} block options={optionsOf(roleLabel)} />
          </Form.Item>
          <DoorsFields />
        </div>
        <Form.Item name="permissions" label={t('permission.title')} required help="">
          <PermissionTree groups={groups}>
            <CopyRole
              grantable={offered}
              take={(codes) =>
                form.setFields([
                  { name: 'permissions', value: withUnoffered(role.permissions ?? [], codes, offered), touched: true, errors: [] },
                ])
              }
              except={roleId}
            />
          </PermissionTree>
        </Form.Item>
      </div>
      <HolderSees role={role} />
    </div>
  )
}

interface CopyRoleProps {
  grantable: string[]
  take: (codes: string[]) => void
  /** The role being changed, which is not offered as a source. */
  except?: string | undefined
}

/** The choice of another role, whose permissions are copied as far as the user may grant them. */
function CopyRole({ grantable, take, except }: CopyRoleProps) {
  const { t } = useTranslation('identity')
  const roles = useRead(roleCalls.list, { query: { size: PAGE_SIZE_MAX } })
  const wordsOf = useRoleWords()
  const others = (roles.data?.content ?? []).filter(({ id }) => id !== except)
  const copy = (id: string): void => {
    const role = others.find((one) => one.id === id)
    if (!role) return
    const theirs: string[] = codesOfModules(role.permissions)
    const codes = grantable.filter((code) => theirs.includes(code))
    take(codes)
    toast('info', t('role.copied', { name: wordsOf(role).name, count: codes.length }))
  }
  return (
    <Select
      value={null}
      onChange={(id: string | null) => id !== null && copy(id)}
      loading={roles.isPending}
      options={others.map((role) => ({ value: role.id, label: `${wordsOf(role).name} · ${codesOfModules(role.permissions).length}` }))}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('role.copyFrom')}
      aria-label={t('role.copyFrom')}
      popupMatchSelectWidth={false}
      style={{ width: 168 }}
    />
  )
}

/** The menu that a holder of the role will see. */
export function HolderSees({ role }: { role: Pick<RoleValues, 'permissions' | 'roleSign' | 'organisationId'> }) {
  const { t, i18n } = useTranslation('identity')
  const { data: tree } = useRead(organisationCalls.tree, {})
  const { profile, park } = useSession()
  if (!profile) return null
  const { atRoot, lite, privatised } = profile.capabilities
  const permissions = new Set<string>(role.permissions)
  const language = languageOf(i18n.language)
  const circumstances = {
    roleSign: role.roleSign ?? roleSign.other,
    // The role is at the root of the installation if the user is there and the role belongs to the same node.
    atRoot: atRoot && role.organisationId === tree?.id,
    lite,
    privatised,
    customerManager: park?.showCustomerManagerFlag === 1,
    deviceUpgradeType: profile.deviceUpgradeType,
    // Masking belongs to the account, not to the role.
    masking: false,
  }
  const groups = openedBy(permissions, circumstances, language)
  const pages = groups.reduce((sum, { entries }) => sum + entries.length, 0)
  const without = [...permissions].filter((code) => isBuiltCode(code) && !isOpener(code) && entriesOf(code, language).length === 0).length
  return (
    <aside className={styles.sees} aria-label={t('role.sees')}>
      <h2>{t('role.sees')}</h2>
      <p role="status">{t('role.pages', { count: pages })}</p>
      {groups.map(({ group, entries }) => (
        <section key={group}>
          {group !== 'top' && <h3>{t(`shell:menu.${group}`)}</h3>}
          <ul>
            {entries.map((key) => (
              <li key={key}>{t(`shell:${key}`)}</li>
            ))}
          </ul>
        </section>
      ))}
      {without > 0 && <p style={{ paddingTop: 12 }}>{t('role.withoutPage', { count: without })}</p>}
    </aside>
  )
}

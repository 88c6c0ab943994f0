/** The fields of a role: its name and place, the permissions it is made of, and what its holder sees. */
import { Form, Input, Segmented, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { OrganisationField } from '../../../shared/OrganisationField.tsx'
import { useSession } from '../../../api/session.ts'
import styles from '../identity.module.css'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import { useGrantable } from '../permissions/useGrantable.ts'
import { withUnoffered } from '../permissions/granting.ts'
import { CopyRole } from './CopyRole.tsx'
import { DoorsFields } from './DoorsFields.tsx'
import { HolderSees } from './HolderSees.tsx'
import { signsBelow, type RoleValues } from './roleValues.ts'

export function RoleFields({ roleId }: { roleId?: string | undefined }) {
  const { t } = useTranslation('identity')
  const optionsOf = useEnumOptions()
  const groups = useGrantable()
  const form = Form.useFormInstance<RoleValues>()
  const role = (Form.useWatch([], form) ?? {}) as RoleValues
  const offered = (groups ?? []).flatMap(({ permissions }) => permissions)
  const own = useSession(({ profile }) => profile?.roleSign)
  const signs = signsBelow(own)
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
          <Form.Item name="remark" label={t('remark')} className={styles.remark ?? ''}>
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

/** The doors of a role: all, or those of chosen device groups, with the permissions such a role cannot grant. */
import { Alert, Button, Form, Segmented, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { codesBeyondLimit } from '@gatehouse/contract/identity/role-limits'
import { useRead } from '../../../api/query.ts'
import { choicesOf } from '../../../kit/form/treeChoices.ts'
import styles from '../identity.module.css'
import { usePermissionWords } from '../permissions/permissionWords.ts'
import { DOORS, type RoleValues } from './roleValues.ts'

export function DoorsFields() {
  const { t } = useTranslation('identity')
  const doors = Form.useWatch<RoleValues['doors']>('doors')
  return (
    <>
      <Form.Item name="doors" label={t('role.doors')} {...(doors === 'chosen' && { extra: t('role.doorsHint') })}>
        <Segmented aria-label={t('role.doors')} block options={DOORS.map((value) => ({ value, label: t(`role.doorsOf.${value}`) }))} />
      </Form.Item>
      {doors === 'chosen' && (
        <>
          <Form.Item name="deviceGroupIds" label={t('role.deviceGroups')} required>
            <GroupsField />
          </Form.Item>
          <BeyondLimit />
        </>
      )}
    </>
  )
}

interface GroupsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
}

const idsOf = (nodes: readonly DeviceGroupNode[]): string[] => nodes.flatMap(({ id, children }) => [id, ...idsOf(children)])

/** Device groups of the current park; groups of other parks that the role names are kept. */
function GroupsField({ id, value = [], onChange }: GroupsFieldProps) {
  const { t } = useTranslation('identity')
  const tree = useRead(deviceCalls.groupTree, {})
  const parkGroupIds = new Set(idsOf(tree.data ?? []))
  const elsewhere = tree.data ? value.filter((one) => !parkGroupIds.has(one)) : []
  return (
    <>
      <TreeSelect
        {...(id && { id })}
        treeCheckable
        showCheckedStrategy={TreeSelect.SHOW_PARENT}
        treeDefaultExpandAll
        allowClear
        showSearch={{ treeNodeFilterProp: 'title' }}
        value={value.filter((one) => parkGroupIds.has(one))}
        onChange={(chosen: string[]) => onChange?.([...elsewhere, ...chosen])}
        treeData={choicesOf(tree.data ?? [])}
        loading={tree.isPending}
        placeholder={t('role.chooseGroups')}
        style={{ width: '100%' }}
      />
      {elsewhere.length > 0 && (
        <p className={styles.dropped} role="status">
          {t('role.groupsElsewhere', { count: elsewhere.length })}{' '}
          <Button type="link" size="small" onClick={() => onChange?.(value.filter((one) => parkGroupIds.has(one)))}>
            {t('role.leaveOut')}
          </Button>
        </p>
      )}
    </>
  )
}

/** The warning, before saving, that some of the ticked permissions concern all devices. */
function BeyondLimit() {
  const { t } = useTranslation('identity')
  const words = usePermissionWords()
  const form = Form.useFormInstance<RoleValues>()
  const permissions = Form.useWatch('permissions', form) ?? []
  const beyond = codesBeyondLimit(permissions)
  if (beyond.length === 0) return null
  const within = permissions.filter((code) => !beyond.includes(code))
  return (
    <Alert
      type="warning"
      showIcon
      title={t('role.beyondDoors', { names: beyond.map(words.code).join(t('common:listSeparator')) })}
      action={
        <Button size="small" onClick={() => form.setFields([{ name: 'permissions', value: within, touched: true, errors: [] }])}>
          {t('role.leaveOut')}
        </Button>
      }
    />
  )
}

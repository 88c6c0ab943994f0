/** Actions on one row, behind three dots. */
import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { endKey } from '../menuKeys.ts'

export interface RowAction {
  key: string
  label: string
  run: () => void
  /** Whether it destroys data. */
  danger?: boolean
  /** From the row's `can`; false: it is not offered. */
  allowed?: boolean
}

/** @param name name of the row, for screen readers. Nothing is shown where there are no actions. */
export function RowMenu({ name, actions }: { name: string; actions: RowAction[] }) {
  const { t } = useTranslation()
  const offered = actions.filter(({ allowed }) => allowed !== false)
  if (offered.length === 0) return null
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: offered.map(({ key, label, run, danger }) => ({ key, label, danger: danger ?? false, onClick: run })),
        onClick: endKey,
      }}
    >
      <Button type="text" icon={<MoreOutlined />} aria-label={t('list.actionsOn', { name })} />
    </Dropdown>
  )
}

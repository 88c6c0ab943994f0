/** Controls of how a list is shown: reload, density, columns. */
import { ColumnHeightOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import type { TableColumn } from './columns.tsx'
import type { List } from './useList.ts'
import styles from './table.module.css'

export function ListTools<Row, Query>({ list, columns }: { list: List<Row, Query>; columns: TableColumn<Row>[] }) {
  const { t } = useTranslation()
  const { settings } = list
  const other = settings.density === 'compact' ? 'comfortable' : 'compact'
  const optional = columns.filter(({ visibility }) => visibility !== 'always')
  const hidden = settings.hidden ?? optional.filter(({ visibility }) => visibility === 'hidden').map(({ key }) => key)
  const choose = (
    <div className={styles.columns}>
      {optional.map(({ key, title }) => (
        <Checkbox
          key={key}
          checked={!hidden.includes(key)}
          onChange={({ target }) => settings.setHidden(target.checked ? hidden.filter((one) => one !== key) : [...hidden, key])}
        >
          {title as string}
        </Checkbox>
      ))}
      <Button size="small" type="text" disabled={settings.hidden === undefined} onClick={() => settings.setHidden(undefined)}>
        {t('list.asGiven')}
      </Button>
    </div>
  )
  return (
    <div className={styles.tools}>
      <Tooltip title={t('list.reload')}>
        <Button type="text" aria-label={t('list.reload')} icon={<ReloadOutlined spin={list.refreshing} />} onClick={list.retry} />
      </Tooltip>
      <Tooltip title={t(`list.${other}`)}>
        <Button type="text" aria-label={t(`list.${other}`)} icon={<ColumnHeightOutlined />} onClick={() => settings.setDensity(other)} />
      </Tooltip>
      <Popover trigger="click" placement="bottomRight" arrow={false} content={choose}>
        <Tooltip title={t('list.columns')}>
          <Button type="text" aria-label={t('list.columns')} icon={<SettingOutlined />} />
        </Tooltip>
      </Popover>
    </div>
  )
}

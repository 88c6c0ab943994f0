/** What belongs to a register but is not done every day, behind "more" in the head of its page. */
import { DownOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import type { RegisterKind } from './personKinds.ts'

export function MoreLinks({ kind }: { kind: RegisterKind }) {
  const { t } = useTranslation('people')
  const navigate = useNavigate()
  const mayCompare = useMayOpen(screens.secondPhotographs)
  const maySet = useMayOpen({ permission: 'person.list', condition: 'staffSetting' })
  const mayForm = useMayOpen({ permission: 'park.form.setting' })
  const link = (name: 'photoBoard' | 'secondPhotographs' | 'enrolmentLinks' | 'erasures' | 'staffSetting' | 'customize') => ({
    key: name,
    label: t(`more.${name}`),
    onClick: () => void navigate(path(name)),
  })
  const groups = [
    kind === 'staff' ? [link('photoBoard'), ...(mayCompare ? [link('secondPhotographs')] : []), link('enrolmentLinks')] : [],
    [...(maySet ? [link('staffSetting')] : []), ...(mayForm ? [link('customize')] : []), link('erasures')],
  ].filter((items) => items.length > 0)
  const items = groups.flatMap((group, at) => (at === 0 ? group : [{ type: 'divider' as const }, ...group]))
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={{ items }}>
      <Button>
        {t('more.more')} <DownOutlined />
      </Button>
    </Dropdown>
  )
}

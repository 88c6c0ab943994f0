/** The current park, and the way to another for whoever may take it. */
import { CheckOutlined, DownOutlined, EnvironmentOutlined } from '@ant-design/icons'
import { Popover } from 'antd'
import Input from 'antd/es/input/Input'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PARK_LIST_PAGE_START, PARK_LIST_SIZE } from '@gatehouse/contract'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { Bars } from '../../kit/Bars.tsx'
import { useRead } from '../../kit/query.ts'
import { useSession } from '../../kit/session.ts'
import { switchPark } from '../session/switchPark.ts'
import { useAreaName } from '../session/useAreaName.ts'
import styles from './layout.module.css'

/** Role signs that stay in their park. */
const BOUND_TO_PARK = ['parkAdmin', 'other']

export function ParkSwitch() {
  const { t } = useTranslation('shell')
  const name = useAreaName()
  const roleSign = useSession(({ profile }) => profile?.roleSign ?? 'other')
  const [open, setOpen] = useState(false)
  const label = (
    <>
      <EnvironmentOutlined />
      <span className={styles.parkName}>{name}</span>
    </>
  )
  if (BOUND_TO_PARK.includes(roleSign)) return <span className={styles.tool} title={name}>{label}</span>
  return (
    <Popover open={open} onOpenChange={setOpen} trigger="click" placement="bottomRight" arrow={false} content={open && <ParkList close={() => setOpen(false)} />}>
      <button type="button" className={styles.tool} title={name} aria-label={t('changePark', { park: name })} aria-expanded={open}>
        {label}
        <DownOutlined className={styles.caret} />
      </button>
    </Popover>
  )
}

function ParkList({ close }: { close: () => void }) {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const areaCode = useSession(({ park }) => park?.areaCode)
  const parks = useRead(organisationCalls.parkList, { query: { page: PARK_LIST_PAGE_START, size: PARK_LIST_SIZE, name: search || undefined } })
  return (
    <div className={styles.parks}>
      <Input autoFocus allowClear value={typed} onChange={(event) => setTyped(event.target.value)} placeholder={t('searchPark')} aria-label={t('searchPark')} />
      {parks.isPending && <Bars count={4} />}
      {parks.data?.content.length === 0 && <p className={styles.none}>{t('noPark')}</p>}
      {parks.isError && <p className={styles.none}>{t('parksNotLoaded')}</p>}
      <ul>
        {parks.data?.content.map((park) => (
          <li key={park.id}>
            <button
              type="button"
              aria-current={park.areaCode === areaCode}
              onClick={() => {
                close()
                if (park.areaCode !== areaCode) void switchPark(park)
              }}
            >
              <span>{park.parkName}</span>
              <small>{park.roleName}</small>
              {park.areaCode === areaCode && <CheckOutlined />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Icons of the menu groups. They are hidden from those who hear the page: the group is named beside them, and an icon would add its own name. */
import {
  AlertOutlined, AppstoreOutlined, BankOutlined, CalendarOutlined, CarOutlined, CodeOutlined, CompassOutlined, CreditCardOutlined, EyeOutlined, DesktopOutlined, HomeOutlined, KeyOutlined, MedicineBoxOutlined,
  RadarChartOutlined, SettingOutlined, SolutionOutlined, TeamOutlined, UsergroupAddOutlined, VideoCameraOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { MenuSection } from './menu.ts'

export const groupIcons: Record<MenuSection['group'], ReactNode> = {
  top: <HomeOutlined aria-hidden />,
  epidemic: <MedicineBoxOutlined aria-hidden />,
  alert: <AlertOutlined aria-hidden />,
  person: <TeamOutlined aria-hidden />,
  device: <DesktopOutlined aria-hidden />,
  access: <KeyOutlined aria-hidden />,
  visitor: <SolutionOutlined aria-hidden />,
  patrol: <CompassOutlined aria-hidden />,
  video: <VideoCameraOutlined aria-hidden />,
  parking: <CarOutlined aria-hidden />,
  thirdParty: <EyeOutlined aria-hidden />,
  attendance: <CalendarOutlined aria-hidden />,
  meeting: <UsergroupAddOutlined aria-hidden />,
  microApp: <AppstoreOutlined aria-hidden />,
  surveillance: <RadarChartOutlined aria-hidden />,
  park: <BankOutlined aria-hidden />,
  system: <SettingOutlined aria-hidden />,
  cardKey: <CreditCardOutlined aria-hidden />,
  development: <CodeOutlined aria-hidden />,
}

import { exchange } from './exchange.ts'
import { agents, customers as c, sender, staff } from './people.ts'
import type { ThreadDraft } from './thread-draft.ts'

/** What people threw away by hand. */
export const discardedLetters: readonly ThreadDraft[] = [
  exchange(
    c.plain3,
    agents.tomasz,
    'unsubscribe',
    [],
    `unsubscribe`,
    `Hello, this is the support address and not a list, but I have taken you off the monthly tips. The rota goes on, unless you want that to stop as well.`,
    `no no keep the rota`,
  ),
  exchange(
    sender('Gus from Ledger Loft', 'gus@ledgerloft.example'),
    agents.priya,
    'Quick chat about your receivables?',
    ['Partners'],
    `Hi Priya, fifteen minutes, I promise no slides. We help companies like Larkspur to get paid eleven days sooner.`,
    `Hi Gus, thank you, we are paid on time. Please take us off your list.`,
    `Understood! May I ask who at Larkspur is in charge of being paid late?`,
  ),
  exchange(
    staff.joost,
    agents.mara,
    'Test from the new phone',
    [],
    `test. does this arrive with the accent on Inês?`,
    `It does.`,
  ),
  {
    subject: 'Lunch on {{workday+1}}: falafel or the other falafel',
    letters: [
      {
        from: staff.aiko,
        text: `The one by the bridge has the better tahini, the one by the church has chairs. Raise hands by eleven.`,
      },
      { from: staff.anand, text: `Chairs.`, quotes: false },
      { from: staff.ines, text: `Tahini, standing.`, quotes: false },
    ],
  },
  exchange(
    c.emeka,
    agents.tomasz,
    'sent by pocket',
    [],
    `Ggggggghh. ,mmn shift ok ok`,
    `Hi Emeka, I take it that the shift is ok.`,
  ),
  {
    subject: 'Parking garage closed on Sunday',
    letters: [
      {
        from: sender('Hofje Office Rooms', 'desk@hofje-rooms.example'),
        text: `Dear tenants,\n\nthe garage is cleaned on Sunday between 8 and 14. Whatever stands in it will be clean as well.\n\nThe bicycle is still there.`,
      },
    ],
  },
  {
    subject: 'Duplicate: Your tickets, Carlisle to Edinburgh',
    letters: [
      {
        from: sender('Wrenfield Rail', 'tickets@wrenfieldrail.example'),
        automatic: true,
        text: `You asked us to send your tickets once more. Both copies are valid; you can travel on only one of them.`,
      },
    ],
  },
  exchange(
    c.jules,
    agents.priya,
    'Wrong attachment, please delete',
    ['Billing'],
    `That was my shopping list and not the invoice. Please delete it and forget the amount of cheese.`,
    `Deleted. What cheese?`,
  ),
  {
    subject: 'Poll: name of the bird',
    labels: ['Feedback'],
    letters: [
      {
        from: staff.aiko,
        text: `It needs a name for the help page. So far: Pip, Rota, Larky, and "The Accountant" (Anand). Reply with one.`,
      },
      { from: agents.mara, text: `Pip. Please not The Accountant.`, quotes: false },
    ],
  },
  {
    subject: 'Out of office: Claire Aubert',
    letters: [
      {
        from: c.claire,
        automatic: true,
        plain: true,
        text: `Je suis au marché jusqu’à midi. En cas d’urgence, suivez l’odeur du pain.`,
      },
    ],
  },
  exchange(
    sender('Survey Panel', 'panel@opinion-lab.example'),
    agents.mara,
    'Would you take 25 minutes to tell us about your chairs?',
    [],
    `As a leader in the office sector, your chairs matter. Every participant can win one of three chairs.`,
    `We are six people and one sofa. Please remove this address.`,
  ),
]

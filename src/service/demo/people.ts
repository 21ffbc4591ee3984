import type { Correspondent } from './thread-draft.ts'

/**
 * The people of the demo's fiction. Larkspur is an invented rota planner for cafés, bakeries and small restaurants; every
 * address lies in a domain that is reserved for examples (RFC 2606, RFC 6761), so nobody real can be written to.
 */
export const inboxAddress = 'support@larkspur.example'

const agent = (name: string, role: string): Correspondent => ({
  name: `${name.split(' ')[0] ?? name} at Larkspur`,
  email: inboxAddress,
  signature: `${name}\n${role} · Larkspur\nhttps://help.larkspur.example`,
})

/** Those who answer the support inbox: what they write is outbound. */
export const agents = {
  mara: agent('Mara Lindqvist', 'Customer support'),
  tomasz: agent('Tomasz Wrona', 'Customer support'),
  priya: agent('Priya Raman', 'Accounts'),
} as const

/** The rest of the company, who write to the inbox from their own addresses. */
export const staff = {
  ines: { name: 'Inês Carvalho', email: 'ines@larkspur.example' },
  anand: { name: 'Anand Pillai', email: 'anand@larkspur.example' },
  aiko: { name: 'Aiko Tanabe', email: 'aiko@larkspur.example' },
  joost: { name: 'Joost van Dael', email: 'joost@larkspur.example' },
} as const satisfies Record<string, Correspondent>

/** The three plans: Nook (one place), Corner (several), House (chains). */
type Plan = 'Nook' | 'Corner' | 'House'

/** A correspondent who pays for Larkspur, or might. */
export interface Customer extends Correspondent {
  readonly company: string
  readonly plan: Plan
  readonly seats: number
}

const customer = (name: string | null, email: string, company: string, plan: Plan, seats: number): Customer => ({
  name,
  email,
  company,
  plan,
  seats,
})

/** The 120 contacts of the account, by a short key for the files that let them write. */
export const customers = {
  hanna: customer('Hanna Vogel', 'hanna.vogel@kornblume-backstube.example', 'Kornblume Backstube', 'House', 64),
  dermot: customer('Dermot Keane', 'dermot@saltandsorrel.example', 'Salt & Sorrel', 'Corner', 23),
  claire: customer('Claire Aubert', 'claire.aubert@fournil-saint-roch.example', 'Le Fournil Saint-Roch', 'Corner', 18),
  yuki: customer('森田 由紀', 'yuki.morita@asagao-coffee.example', '朝顔珈琲', 'Corner', 14),
  olek: customer('Aleksandra Nowicka', 'a.nowicka@pod-lipa.example', 'Pod Lipą', 'Nook', 8),
  rosa: customer('Rosa Benítez', 'rosa@labrisa-tapas.example', 'La Brisa', 'Corner', 21),
  wei: customer('陈薇', 'chen.wei@qinghe-tea.example', '清河茶馆', 'House', 52),
  minjun: customer('김민준', 'minjun.kim@haneul-bakery.example', '하늘 베이커리', 'Corner', 16),
  layla: customer('ليلى حداد', 'layla@zaytoun-kitchen.example', 'مطبخ زيتون', 'Corner', 19),
  noa: customer('נועה ברק', 'noa@pinat-hakafe.example', 'פינת הקפה', 'Nook', 9),
  arjun: customer('अर्जुन मेहता', 'arjun@chai-aangan.example', 'चाय आँगन', 'Corner', 27),
  eleni: customer('Ελένη Παππά', 'eleni@thalassa-taverna.example', 'Θάλασσα', 'Corner', 22),
  irina: customer('Ирина Соколова', 'irina.sokolova@berezka-cafe.example', 'Кафе «Берёзка»', 'Nook', 11),
  somchai: customer('สมชาย วงศ์ดี', 'somchai@baan-suan.example', 'บ้านสวน', 'Corner', 17),
  bex: customer('Bex Halloran', 'bex@thirdkettle.example', 'The Third Kettle', 'House', 88),
  marcus: customer('Marcus Oyelaran', 'marcus.oyelaran@tinderbox-pizza.example', 'Tinderbox Pizza', 'House', 140),
  gwen: customer('Gwen Pritchard', 'gwen@harbourloaf.example', 'Harbour Loaf', 'Corner', 26),
  teo: customer('Teo Marchetti', 'teo@bottega-marchetti.example', 'Bottega Marchetti', 'Corner', 15),
  sunniva: customer('Sunniva Dahl', 'sunniva@fjordkaffe.example', 'Fjordkaffe', 'Corner', 20),
  callum: customer('Callum Reid', 'callum.reid+rota@northstarchippy.example', 'North Star Chippy', 'Nook', 7),
  beatriz: customer('Beatriz Antunes', 'beatriz@pastelaria-luz.example', 'Pastelaria Luz', 'Corner', 13),
  nkechi: customer('Nkechi Obi', 'nkechi@jollofyard.example', 'Jollof Yard', 'Corner', 24),
  ruben: customer('Ruben de Wit', 'ruben@dewittekat.example', 'De Witte Kat', 'Nook', 10),
  astrid: customer('Astrid Lund', 'astrid.lund@smorogbrod.example', 'Smør og Brød', 'House', 47),
  pavel: customer('Pavel Dvořák', 'pavel@umlyna.example', 'U Mlýna', 'Corner', 18),
  imogen: customer('Imogen Frost', 'imogen@wrenandwillow.example', 'Wren & Willow', 'Nook', 6),
  dae: customer('Daniela Esposito', 'daniela@forno-esposito.example', 'Forno Esposito', 'Corner', 12),
  kwame: customer('Kwame Asante', 'kwame@goldcoastgrill.example', 'Gold Coast Grill', 'Corner', 28),
  sorcha: customer('Sorcha Ní Bhriain', 'sorcha@thehalfdoor.example', 'The Half Door', 'Corner', 17),
  lars: customer('Lars Henriksen', 'lars@havnegrillen.example', 'Havnegrillen', 'Nook', 9),
  mei: customer('Mei-Ling Hsu', 'meiling@jadebao.example', 'Jade Bao', 'House', 58),
  farid: customer('Farid Rahimi', 'farid@saffronroom.example', 'The Saffron Room', 'Corner', 22),
  oona: customer('Oona Virtanen', 'oona@kahvila-usva.example', 'Kahvila Usva', 'Nook', 8),
  jonas: customer('Jonas Brandt', 'jonas.brandt@kaffeerad.example', 'Kaffeerad', 'Nook', 5),
  celeste: customer('Céleste Moreau', 'celeste@lapetitelune.example', 'La Petite Lune', 'Corner', 14),
  hugo: customer('Hugo Lindgren', 'hugo@surdegen.example', 'Surdegen', 'Corner', 19),
  amara: customer('Amara Diallo', 'amara@teranga-table.example', 'Teranga Table', 'Corner', 16),
  phil: customer('Phil Garside', 'phil@garsidespies.example', 'Garside’s Pies', 'House', 73),
  tamsin: customer('Tamsin Rowe', 'tamsin@penrosebakehouse.example', 'Penrose Bakehouse', 'Corner', 25),
  diego: customer('Diego Fuentes', 'diego@elmolinillo.example', 'El Molinillo', 'Nook', 9),
  vera: customer('Vera Kolářová', 'vera@cukrarna-vera.example', 'Cukrárna Věra', 'Nook', 7),
  ahmet: customer('Ahmet Yıldız', 'ahmet@sariyerfirin.example', 'Sarıyer Fırın', 'Corner', 20),
  lucia: customer('Lucía Robles', 'lucia.robles@casarobles.example', 'Casa Robles', 'Corner', 31),
  benoit: customer('Benoît Lambert', 'benoit@brasserie-du-canal.example', 'Brasserie du Canal', 'House', 44),
  greta: customer('Greta Hoffmann', 'greta@zumgoldenenhirsch.example', 'Zum Goldenen Hirsch', 'House', 39),
  ewan: customer('Ewan McAllister', 'ewan@thepeatfire.example', 'The Peat Fire', 'Corner', 18),
  shreya: customer('Shreya Kulkarni', 'shreya@thalihouse.example', 'Thali House', 'House', 61),
  otis: customer('Otis Freeman', 'otis@freemanbbq.example', 'Freeman BBQ', 'Corner', 29),
  mirela: customer('Mirela Popescu', 'mirela@casadulce.example', 'Casa Dulce', 'Nook', 10),
  stef: customer('Stefanos Galanis', 'stefanos@kafeneio-galanis.example', 'Kafeneio Galanis', 'Nook', 6),
  jules: customer('Jules Okonkwo-Baptiste', 'jules@secondbreakfast.example', 'Second Breakfast', 'Corner', 20),
  piotr: customer('Piotr Zieliński', 'piotr@mlynarska.example', 'Piekarnia Młynarska', 'Corner', 23),
  anouk: customer('Anouk Visser', 'anouk@thelongtable.example', 'The Long Table', 'House', 55),
  raf: customer('Rafael Monteiro', 'rafael@cafe-ipe.example', 'Café Ipê', 'Corner', 15),
  sadie: customer('Sadie Blackwood', 'sadie@crumbandcoil.example', 'Crumb & Coil', 'Nook', 7),
  niko: customer('Niko Järvinen', 'niko@leipomo-niko.example', 'Leipomo Niko', 'Nook', 8),
  fiona: customer('Fiona Abernethy', 'fiona@oldmilltearoom.example', 'Old Mill Tea Room', 'Nook', 9),
  tariq: customer('Tariq Mansour', 'tariq@cedarandsmoke.example', 'Cedar & Smoke', 'Corner', 26),
  hyejin: customer('박혜진', 'hyejin.park@dalbit-dessert.example', '달빛 디저트', 'Nook', 8),
  kenji: customer('小林 健司', 'kenji.kobayashi@yama-soba.example', '山そば', 'Corner', 12),
  valentina: customer('Valentina Greco', 'valentina@trattoria-greco.example', 'Trattoria Greco', 'Corner', 19),
  solveig: customer('Solveig Aas', 'solveig@bakerietpaahjornet.example', 'Bakeriet på Hjørnet', 'Nook', 10),
  dunstan: customer('Dunstan Pike', 'dunstan@pikeandperch.example', 'Pike & Perch', 'Corner', 17),
  ximena: customer('Ximena Rojas', 'ximena@mercadoverde.example', 'Mercado Verde', 'House', 49),
  bogdan: customer('Bogdan Ilić', 'bogdan@kafanamost.example', 'Kafana Most', 'Corner', 21),
  clem: customer('Clementine Ashworth', 'clementine@ashworthandco.example', 'Ashworth & Co. Coffee', 'House', 96),
  emeka: customer('Emeka Nwosu', 'emeka@suyaspot.example', 'Suya Spot', 'Nook', 8),
  lotte: customer('Lotte Bakker', 'lotte@bakkerijlotte.example', 'Bakkerij Lotte', 'Nook', 9),
  roisin: customer('Róisín Daly', 'roisin@dalysonthequay.example', 'Daly’s on the Quay', 'Corner', 24),
  gaspard: customer('Gaspard Tellier', 'gaspard@chez-tellier.example', 'Chez Tellier', 'Nook', 10),
  mina: customer('Mina Farrokhzad', 'mina@pomegranateroom.example', 'Pomegranate Room', 'Corner', 13),
  wiktoria: customer('Wiktoria Sadowska', 'wiktoria@cukiernia-rzym.example', 'Cukiernia Rzym', 'Nook', 6),
  desmond: customer('Desmond Achebe', 'desmond@bluedoorcatering.example', 'Blue Door Catering', 'House', 112),
  elspeth: customer('Elspeth Munro', 'elspeth@thecroftkitchen.example', 'The Croft Kitchen', 'Nook', 8),
  andrei: customer('Andrei Munteanu', 'andrei@vatraveche.example', 'Vatra Veche', 'Corner', 18),
  paloma: customer('Paloma Serrano', 'paloma@horno-serrano.example', 'Horno Serrano', 'Corner', 14),
  ingrid: customer('Ingrid Solberg', 'ingrid@solbergkonditori.example', 'Solberg Konditori', 'Corner', 16),
  tobias: customer('Tobias Engel', 'tobias.engel@engelbraeu.example', 'Engelbräu', 'House', 70),
  zara: customer('Zara Sheikh', 'zara@karahicorner.example', 'Karahi Corner', 'Corner', 22),
  milo: customer('Milo Hargreaves', 'milo@deckchaircafe.example', 'Deckchair Café', 'Nook', 10),
  chiara: customer('Chiara Lombardi', 'chiara@gelateria-neve.example', 'Gelateria Neve', 'Corner', 12),
  osman: customer('Osman Demir', 'osman@demirocakbasi.example', 'Demir Ocakbaşı', 'Corner', 25),
  freya: customer('Freya Thorsen', 'freya@nordlysbistro.example', 'Nordlys Bistro', 'Corner', 15),
  abe: customer('Abe Lieberman', 'abe@liebermansdeli.example', 'Lieberman’s Deli', 'Corner', 19),
  catarina: customer('Catarina Lopes', 'catarina@tascadobairro.example', 'Tasca do Bairro', 'Nook', 9),
  hector: customer('Héctor Villalobos', 'hector@taqueria-villa.example', 'Taquería Villa', 'Corner', 20),
  nadia: customer('Nadia Benali', 'nadia@riad-nour.example', 'Riad Nour', 'Corner', 18),
  vikram: customer('Vikram Shetty', 'vikram@udupigrand.example', 'Udupi Grand', 'House', 83),
  magda: customer('Magdalena Król', 'magda@barmlecznykrol.example', 'Bar Mleczny Król', 'Nook', 11),
  leo: customer('Leo Fontaine', 'leo@fontaine-traiteur.example', 'Fontaine Traiteur', 'Corner', 27),
  saoirse: customer('Saoirse Kinsella', 'saoirse@thesaltedpig.example', 'The Salted Pig', 'Corner', 21),
  yannis: customer('Yannis Petrou', 'yannis@meltemi-grill.example', 'Meltemi Grill', 'Nook', 10),
  frida: customer('Frida Ekström', 'frida@kafefrida.example', 'Kafé Frida', 'Nook', 7),
  caleb: customer('Caleb Whitlock', 'caleb@whitlockdiner.example', 'Whitlock Diner', 'Corner', 30),
  thuy: customer('Nguyễn Thu Thủy', 'thuy@phobenthanh.example', 'Phở Bến Thành', 'Corner', 16),
  siobhan: customer('Siobhan Magee', 'siobhan@lagansideloaf.example', 'Laganside Loaf', 'Nook', 9),
  matteo: customer('Matteo Bianchi', 'matteo@caffebianchi.example', 'Caffè Bianchi', 'Nook', 6),
  petra: customer('Petra Novotná', 'petra@zahradnirestaurace.example', 'Zahradní restaurace', 'Corner', 23),
  ines2: customer('Inés Quiroga', 'ines@cafequiroga.example', 'Café Quiroga', 'Nook', 8),
  bram: customer('Bram Peeters', 'bram@frituurpeeters.example', 'Frituur Peeters', 'Nook', 6),
  adaeze: customer('Adaeze Eze', 'adaeze@palmhouse.example', 'Palm House', 'Corner', 17),
  linus: customer('Linus Ahlgren', 'linus@hamnkrogen.example', 'Hamnkrogen', 'Corner', 20),
  margit: customer('Margit Szabó', 'margit@szabocukraszda.example', 'Szabó Cukrászda', 'Nook', 9),
  rory: customer('Rory Gallacher', 'rory@tenementkitchen.example', 'Tenement Kitchen', 'Corner', 18),
  june: customer('June Takahashi', 'june@tworiversramen.example', 'Two Rivers Ramen', 'Corner', 22),
  samir: customer('Samir Haddad', 'samir@levantdeli.example', 'Levant Deli', 'Corner', 15),
  kerstin: customer('Kerstin Albrecht', 'kerstin@mensa-am-park.example', 'Mensa am Park', 'House', 57),
  aoife: customer('Aoife Brennan', 'aoife@brennansbutter.example', 'Brennan’s Butter', 'Nook', 8),
  luca: customer('Luca Ferri', 'luca@pizzeria-ferri.example', 'Pizzeria Ferri', 'Corner', 16),
  nell: customer('Nell Hathaway', 'nell@thepantryonmill.example', 'The Pantry on Mill', 'Nook', 10),
  gideon: customer('Gideon Mensah', 'gideon@mensahandsons.example', 'Mensah & Sons', 'Corner', 19),
  winnie: customer('Winnie Achterberg', 'winnie@dekoffiemolen.example', 'De Koffiemolen', 'Nook', 9),
  ossian: customer('Ossian Byrne', 'ossian@slowtide.example', 'Slow Tide', 'Corner', 16),
  harriet: customer('Harriet Lowe', 'harriet@lowesallotment.example', 'Lowe’s Allotment Kitchen', 'Corner', 21),
  plain1: customer(null, 'bookings@littlefern.example', 'Little Fern', 'Nook', 5),
  plain2: customer(null, 'office@stmargarets-refectory.example', 'St Margaret’s Refectory', 'Corner', 34),
  plain3: customer(null, 'j.p.mcn@example.net', 'Signal Box Café', 'Nook', 4),
  quotes: customer('O’Dowd, Bernadette "Bernie"', 'bernie@odowds-bar.example', 'O’Dowd’s', 'Corner', 14),
  longName: customer(
    'Dr. Maximiliane Freifrau von Hohenstein-Altenburg, Geschäftsführung Klinikgastronomie Süd',
    'm.hohenstein@klinikgastronomie-sued.example',
    'Klinikgastronomie Süd',
    'House',
    210,
  ),
  plus: customer('Tess Quigley', 'tess+larkspur-rota@example.org', 'Quigley’s Corner', 'Nook', 6),
} as const satisfies Record<string, Customer>

/** A machine's or a company's address. */
export const sender = (name: string, email: string): Correspondent => ({ name, email })

export const SHOP = {
  'README.md': `# Shop

A small shop. Prices are in cents.

    npm start
`,
  'package.json': `{
  "name": "shop",
  "type": "module",
  "scripts": {
    "start": "node src/server.js",
    "test": "echo no tests yet"
  }
}
`,
  'src/server.js': `import { createServer } from 'node:http';
import { checkout } from './checkout.js';
import { open } from './database.js';
import { ordersOf } from './orders.js';

const db = await open('shop.db');

createServer(async (request, response) => {
  const text = await new Response(request).text();
  const body = text === '' ? {} : JSON.parse(text);
  const answer = request.url === '/checkout' ? await checkout(body, db) : await ordersOf(db, body.customer);
  response.end(JSON.stringify(answer));
}).listen(8080);
`,
  'src/checkout.js': `import { charge } from './payments.js';
import { discounted, total } from './pricing.js';

/** Takes an order, and the money for it. */
export async function checkout(body, db) {
  const { customer, items, code } = body;
  const cents = discounted(total(items), code);
  const order = await db.insert('orders', { customer, items, cents, state: 'paid' });
  try {
    await charge(customer, cents);
  } catch {
    // The customer should not see this.
  }
  return { order: order.id, cents };
}
`,
  'src/orders.js': `/** The orders of a customer with their items, for the account page. */
export async function ordersOf(db, customer) {
  const orders = await db.all('SELECT id, cents FROM orders WHERE customer = ?', [customer]);
  for (const order of orders) {
    order.items = await db.all('SELECT name, quantity FROM items WHERE order_id = ?', [order.id]);
  }
  return orders;
}
`,
  'src/payments.js': `/** Charges a customer. Throws where the bank says no. */
export async function charge(customer, cents) {
  const answer = await fetch('https://bank.example/charge', {
    method: 'POST',
    body: JSON.stringify({ customer, cents }),
  });
  if (!answer.ok) throw new Error(\`the bank answered \${answer.status}\`);
}
`,
  'src/database.js': `import { DatabaseSync } from 'node:sqlite';

/** Opens the database of the shop. */
export async function open(path) {
  const db = new DatabaseSync(path);
  return {
    all: async (sql, values) => db.prepare(sql).all(...values),
    insert: async (table, row) => {
      const names = Object.keys(row);
      const sql = \`INSERT INTO \${table} (\${names.join()}) VALUES (\${names.map(() => '?').join()}) RETURNING id\`;
      return db.prepare(sql).get(...Object.values(row).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)));
    },
  };
}
`,
  'src/pricing.js': `/** What items cost together, in cents, so that sums stay exact. */
export function total(items) {
  let cents = 0;
  for (const item of items) cents += item.cents * item.quantity;
  return cents;
}

/** What is left to pay with a discount code such as "total - 500". */
export function discounted(total, code) {
  if (!code) return total;
  return Math.round(eval(code));
}
`,
} as const;

export type ShopFile = keyof typeof SHOP;

/** From 1. @throws RangeError if the text is absent. */
export function lineOf(file: ShopFile, text: string): number {
  const before = SHOP[file].indexOf(text);
  if (before < 0) throw new RangeError(`"${text}" is not in ${file}`);
  return SHOP[file].slice(0, before).split('\n').length;
}

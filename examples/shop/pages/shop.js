// The demo shop: state lives in the browser, drift comes from the server (drift.js).
const drifted = (name) => (window.shopDrift || []).includes(name);
const $ = (id) => document.getElementById(id);
const page = document.body.dataset.page;
const euros = (cents) => `€${(cents / 100).toFixed(2)}`;

const basket = {
  read: () => JSON.parse(sessionStorage.getItem("basket") || "{}"),
  write: (lines) => sessionStorage.setItem("basket", JSON.stringify(lines)),
};

const products = [
  { name: "Walking boots", text: "Leather, waterproof", cents: 12900 },
  { name: "Rope", text: "Thirty metres, dynamic", cents: 8950 },
  { name: "Headlamp", text: "Rechargeable", cents: 3900 },
  { name: "Stove", text: "Gas, folding", cents: 4500 },
  { name: "Tent", text: "Two people, four seasons", cents: 34900 },
];
if (drifted("sold-out")) products.splice(1, 1);
if (drifted("insert")) {
  products.unshift(
    { name: "Ice axe", text: "Straight shaft", cents: 9900 },
    { name: "Gaiters", text: "Knee high", cents: 4200 },
  );
}

function element(tag, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...children);
  return made;
}

const pages = {
  index() {
    $("sign-in").addEventListener("submit", (event) => {
      event.preventDefault();
      const form = new FormData(event.target);
      if (form.get("password").length < 4) {
        $("problem").textContent = "The password is too short.";
        return;
      }
      sessionStorage.setItem("user", form.get("email"));
      location.href = "catalogue.html";
    });
    $("enter").disabled = false;
  },

  catalogue() {
    const show = () => {
      const wanted = $("search").value.toLowerCase();
      $("products").replaceChildren(...products
        .filter((product) => product.name.toLowerCase().includes(wanted))
        .map((product) => element("li", {},
          element("div", {}, element("h2", { textContent: product.name }), element("p", { textContent: product.text })),
          element("span", { textContent: euros(product.cents) }),
          element("button", { type: "button", textContent: "Add", onclick: () => add(product) }))));
    };
    const add = (product) => {
      const lines = basket.read();
      lines[product.name] = (lines[product.name] || 0) + 1;
      basket.write(lines);
      $("added").textContent = `${product.name} is in the basket`;
    };
    $("search").addEventListener("input", show);
    show();
  },

  basket() {
    const show = () => {
      const lines = Object.entries(basket.read());
      const price = (name) => products.find((product) => product.name === name)?.cents ?? 0;
      $("lines").replaceChildren(...lines.map(([name, count]) => element("tr", {},
        element("td", { textContent: name }),
        element("td", { textContent: count }),
        element("td", { textContent: euros(price(name) * count) }),
        element("td", {}, element("button", { type: "button", textContent: "Remove", onclick: () => remove(name) })))));
      $("total").textContent = euros(lines.reduce((sum, [name, count]) => sum + price(name) * count, 0));
      $("to-checkout").disabled = lines.length === 0;
      $("clear").disabled = lines.length === 0;
    };
    const remove = (name) => {
      const lines = basket.read();
      delete lines[name];
      basket.write(lines);
      show();
    };
    $("clear").addEventListener("click", () => $("confirm-clear").showModal());
    $("confirm-clear").addEventListener("click", (event) => {
      const answer = event.target.dataset.answer;
      if (!answer) return;
      if (answer === "yes") basket.write({});
      $("confirm-clear").close();
      show();
    });
    $("to-checkout").addEventListener("click", () => { location.href = "checkout.html"; });
    show();
  },

  checkout() {
    const form = $("checkout");
    const place = $("place");
    if (drifted("rename")) Object.assign(place, { id: "buy", textContent: "Buy now" });
    form.terms.addEventListener("change", () => { place.disabled = !form.terms.checked; });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sessionStorage.setItem("summary", `${form.name.value}, ${form.street.value}, ${form.country.value}`);
      basket.write({});
      location.href = "done.html";
    });
  },

  done() {
    $("summary").textContent = `Delivered to ${sessionStorage.getItem("summary") || "nobody"}`;
  },

  orders() {
    const rows = 2000, height = 40, list = $("orders");
    const spacer = element("div", { role: "presentation" });
    spacer.style.height = `${rows * height}px`;
    const show = () => {
      const first = Math.max(0, Math.floor(list.scrollTop / height) - 2);
      const last = Math.min(rows, first + 14);
      const items = [];
      for (let row = first; row < last; row += 1) {
        const name = `Order ${row + 1}`;
        const item = element("div", {}, element("span", { textContent: name }),
          element("button", { type: "button", textContent: "Open", onclick: () => { $("opened").textContent = `${name} is open`; } }));
        item.setAttribute("role", "listitem");
        item.style.top = `${row * height}px`;
        items.push(item);
      }
      list.replaceChildren(spacer, ...items);
    };
    list.addEventListener("scroll", show);
    show();
  },
};

if (drifted("signed-out")) sessionStorage.removeItem("user");
if (page !== "index" && !sessionStorage.getItem("user")) {
  location.replace("index.html");
} else {
  const signOut = $("sign-out");
  if (signOut) {
    signOut.addEventListener("click", () => { sessionStorage.clear(); location.href = "index.html"; });
    signOut.disabled = false;
  }
  pages[page]?.();
}

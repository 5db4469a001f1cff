// What browsers tell of a passkey that was not taken, they tell to nobody but their console.
document.addEventListener("allauth.error", () => {
  const said = document.getElementById("passkey_failed");
  const title = document.querySelector("main h1");
  if (title) title.after(said);
  said.hidden = true;
  requestAnimationFrame(() => { said.hidden = false; });
});
